/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as h,b as m,d as u,e as y}from"./part-LRED2DU6.js";import{g as p,k as f}from"./part-LMNZKLVE.js";import{d as g}from"./part-QM4WH6KA.js";
import{i as c,r as n}from"./part-WMXWHT22.js";function v(e){let a=new Map;for(let t of e){if(t.entryType!=="tool_call")continue;let s=t.data.diff!==void 0?h(t.data.diff):t.data.arguments!==void 0?u(t.data.arguments):
void 0;if(s===void 0)continue;let{status:o}=t.data,i=o==="completed"?"done":o==="error"||t.open!==!0&&o!=="running"?"failed":"waits";for(let[d,r]of x(s)){let l=a.
get(d)??{path:d,added:0,removed:0,changes:[]};if(a.set(d,l),l.changes.push({entryId:t.entryId,toolName:t.data.toolName,ts:t.startTs,state:i,lines:r}),i==="done"){
let{added:C,removed:S}=m(r);l.added+=C,l.removed+=S}}}return[...a.values()]}function x(e){let a=new Map,t="";for(let s of e)s.kind==="file"?(t=s.text.replace(/ \((?:new|deleted)\)$/,
"").replace(/^.* → /,""),a.set(t,[...a.get(t)??[],.../ \((?:new|deleted)\)$| → /.test(s.text)?[{kind:"note",text:s.text}]:[]])):(t!==""||s.kind!=="note")&&(a.
set(t,a.get(t)??[]),a.get(t).push(s));return a}function J({session:e}){let a=e.entries.value,t=e.head.value,s=c(()=>v(e.fold.state.entries),[e,a,t]),o=s.reduce(([i,d],r)=>[i+r.added,d+r.removed],[0,0]);return n(
"div",{class:"part changes",tabIndex:0,role:"region","aria-label":"Changes",children:[s.length===0?n("p",{class:"empty",children:"No changes yet. What the agent\
’s tools edit shows here, file by file."}):n("p",{class:"note",children:[p(s.length,"file"),", ",n(b,{added:o[0],removed:o[1]}),". What commands changed is no\
t among it: agents tell the changes of their editing tools."]}),s.map(i=>n(F,{file:i,session:e.id,isOpen:s.length<=12},i.path))]})}function b({added:e,removed:a}){
return n("span",{class:"size",children:[n("span",{class:"size-add",children:["+",e]})," ",n("span",{class:"size-del",children:["−",a]})]})}function F({file:e,
session:a,isOpen:t}){return n("details",{class:"file",open:t,children:[n("summary",{children:[n("code",{children:e.path===""?"A file without a name":f(e.path)}),
" ",n(b,{added:e.added,removed:e.removed}),e.changes.length>1?n("span",{class:"note",children:[" ",p(e.changes.length,"change")]}):null]}),e.changes.map((s,o)=>n(
L,{change:s,session:a,path:e.path},`${s.entryId}/${o}`))]})}var w={done:"",waits:"not done yet",failed:"not done: it failed, or was denied"};function L({change:e,
session:a,path:t}){return n("section",{class:`change change-${e.state}`,children:[n("p",{class:"note",children:[new Date(e.ts).toLocaleTimeString()," · ",f(e.toolName),
w[e.state]===""?"":` · ${w[e.state]}`," · ",n("a",{href:g({view:"session",id:a,entry:e.entryId}),"data-place":!0,children:"in the transcript"})]}),n(y,{lines:e.
lines,fold:120,label:`Change of ${f(t)}`})]})}export{J as Changes};
