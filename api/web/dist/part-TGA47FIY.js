/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{m as l}from"./part-WMXWHT22.js";var s="ringmaster.seen",t=l(f()),p=1e3,o={},i;addEventListener("storage",({key:e,newValue:n})=>{if(!(e!==null&&e!==s))if(n===null)m();else{let r=f();for(let[a,g]of Object.
entries(o))r[a]=Math.max(r[a]??0,g);t.value=r}});document.addEventListener("visibilitychange",u);addEventListener("pagehide",u);function f(){try{let e=JSON.parse(
localStorage.getItem(s)??"{}");return typeof e=="object"&&e!==null?e:{}}catch{return{}}}function b(e,n){(t.peek()[e]??0)>=n||(t.value={...t.peek(),[e]:n},o[e]=n,
i===void 0&&(c(),d()))}function y(e){let n=Object.entries(t.peek()).filter(([r])=>e.has(r));n.length<Object.keys(t.peek()).length&&(t.value=Object.fromEntries(n),
c())}function m(){o={},t.value={}}function d(){i=setTimeout(()=>{i=void 0,u()&&d()},p)}function u(){return Object.keys(o).length===0?!1:(c(),!0)}function c(){o=
{};try{localStorage.setItem(s,JSON.stringify(t.peek()))}catch{}}export{t as a,b,y as c,m as d};
