/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as u,b as d,c as p,e as r}from"./part-QM4WH6KA.js";function m(e){let n=l(e);return n.map((i,s)=>f(n,s))}function a(e){return Math.min(e.pane??0,e.beside?.length??0)}function y(e,n){let i=e.beside??[];return e.id===
n||i.some(s=>s.id===n)||i.length>=u-1?e:{...e,beside:[...i,{id:n}]}}function b(e,n){let i=l(e),s=a(e),t=i.filter((o,h)=>h!==n);return t.length===0?e:f(t,Math.min(
t.length-1,s>n?s-1:s))}function v(e){let n=d.peek();if(n.view!=="session"||n.beside===void 0||e.beside!==void 0)return e;let i=l(n),s=i.findIndex(o=>o.id===e.id),
t=s<0?a(n):s;return{...f(i.with(t,e),t),...e.entry===void 0?{}:{entry:e.entry}}}function P(e,n){let i=d.peek();if(i.view==="session")if(i.id===e.id){let{part:s,
at:t,...o}=i;r({...o,...c(e)},n)}else(i.beside??[]).some(s=>s.id===e.id)&&r({...i,beside:i.beside.map(s=>s.id===e.id?c(e):s)},n)}function g(e){let n=d.peek(),i=n.
view==="session"?m(n).findIndex(s=>s.id===e):-1;n.view==="session"&&i>=0&&r(n.beside===void 0?{view:"home"}:b(n,i))}function S(){document.addEventListener("clic\
k",e=>{let n=e.target instanceof Element?e.target.closest("a[data-place]"):null;if(n instanceof HTMLAnchorElement&&e.button===0&&!e.metaKey&&!e.ctrlKey&&!e.shiftKey&&
!e.altKey){e.preventDefault();let i=p(n.pathname,n.search);r(i.view==="session"&&n.dataset.place!=="alone"?v(i):i)}})}function l(e){return(e.beside??[]).toSpliced(
a(e),0,c(e,!0))}function f(e,n){let i=e.filter((s,t)=>t!==n).map(s=>c(s));return{view:"session",...e[n],...i.length===0?{}:{beside:i},...n===0?{}:{pane:n}}}function c(e,n=!1){
let{id:i,part:s,at:t,entry:o}=e;return{id:i,...s===void 0||s==="talk"?{}:{part:s},...t===void 0?{}:{at:t},...n&&o!==void 0?{entry:o}:{}}}export{m as a,a as b,y as c,b as d,v as e,P as f,g,S as h};
