/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{m as p}from"./part-WMXWHT22.js";var h=["talk","changes","time","usage","raw"],v=4,m=p(g(location.pathname,location.search));function g(e,o=""){let[,t,i,n,r]=e.split("/");if(t!=="s"||i===void 0||
i==="")return e==="/inbox"?{view:"inbox"}:{view:"home"};let s=new URLSearchParams(o),a=s.get("at"),d=f(i),l=y(s.get("beside")??"",d),c=Number(s.get("pane"))-1,u=a!==
null?"time":h.find(x=>x===n);return{view:"session",id:d,...u===void 0||u==="talk"?{}:{part:u},...n==="e"&&r!==void 0&&r!==""?{entry:f(r)}:{},...a===null?{}:{at:a},
...l.length===0?{}:{beside:l},...Number.isInteger(c)&&c>0&&c<=l.length?{pane:c}:{}}}function y(e,o){let t=new Map;for(let i of e.split(",")){let[,n,r,s]=/^([^/@]+)(?:\/([a-z]+)|@([0-9.]+))?$/.
exec(i)??[],a=s!==void 0?"time":h.find(d=>d===r);n!==void 0&&n!==o&&!t.has(n)&&t.size<v-1&&t.set(n,{id:n,...a===void 0||a==="talk"?{}:{part:a},...s===void 0?{}:
{at:s}})}return[...t.values()]}function f(e){try{return decodeURIComponent(e)}catch{return e}}function $(e){if(e.view!=="session")return e.view==="inbox"?"/inbo\
x":"/";let o=e.entry!==void 0?`/e/${encodeURIComponent(e.entry)}`:e.at===void 0&&e.part!==void 0&&e.part!=="talk"?`/${e.part}`:"",t=(e.beside??[]).map(n=>`${encodeURIComponent(
n.id)}${n.at!==void 0?`@${n.at}`:n.part===void 0||n.part==="talk"?"":`/${n.part}`}`).join(","),i=[e.at===void 0?"":`at=${encodeURIComponent(e.at)}`,t===""?"":`b\
eside=${t}`,t===""||!e.pane?"":`pane=${e.pane+1}`].filter(n=>n!=="");return`/s/${encodeURIComponent(e.id)}${o}${i.length===0?"":`?${i.join("&")}`}`}function P(e,o=!1){
let t=$(e);t!==location.pathname+location.search&&(o?history.replaceState(null,"",t):history.pushState(null,"",t)),m.value=e}addEventListener("popstate",()=>{m.
value=g(location.pathname,location.search)});export{v as a,m as b,g as c,$ as d,P as e};
