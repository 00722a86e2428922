/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{k}from"./part-LMNZKLVE.js";import{e as g,g as x,h as b,i as v,r as f}from"./part-WMXWHT22.js";function L(e){let t=[],s=0,n=0,d=0,i=0,l,a=e.replace(/\n$/,"").split(`
`);for(let[p,r]of a.entries()){let c=d>0||i>0,u=r.charAt(0);if(c&&u==="+")t.push({kind:"add",text:r.slice(1),new:n++}),i--;else if(c&&u==="-")t.push({kind:"del",
text:r.slice(1),old:s++}),d--;else if(c&&(u===" "||u===""))t.push({kind:"same",text:r.slice(1),old:s++,new:n++}),d--,i--;else if(r.startsWith("\\ "))t.push({kind:"\
note",text:r.slice(2)});else if(r.startsWith("--- ")&&a[p+1]?.startsWith("+++ ")===!0)l=r.slice(4);else if(l!==void 0)t.push({kind:"file",text:W(l,r.slice(4))}),
l=void 0;else{let o=/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(r);o!==null?([s,n,d,i]=[Number(o[1]),Number(o[3]),Number(o[2]??1),Number(o[4]??1)],
t.push({kind:"hunk",text:o[5]===""||o[5]===void 0?`line ${n}`:`line ${n} · ${o[5]}`})):r!==""&&!T(a,p)&&t.push({kind:"note",text:r})}}return t}function T(e,t){
let s=e[t];if(!s.startsWith("diff --git "))return/^index [0-9a-f]+\.\.[0-9a-f]+( [0-7]+)?$/.test(s);let n=e.slice(t+1,t+10),d=n.findIndex(a=>/^(--- |diff --git |@@ )/.
test(a));if(d<0||!n[d].startsWith("--- ")||n[d+1]?.startsWith("+++ ")!==!0)return!1;let[i,l]=[m(n[d].slice(4)),m(n[d+1].slice(4))];return s===`diff --git a/${i===
"/dev/null"?l:i} b/${l==="/dev/null"?i:l}`}function $(e){return{added:e.filter(t=>t.kind==="add").length,removed:e.filter(t=>t.kind==="del").length}}function E(e){
return/^(diff --git .*\n(.*\n)*?)?--- .*\n\+\+\+ .*\n@@ /m.test(e)}function m(e){return e.replace(/\t([0-9]{4}-[0-9]{2}-[0-9]{2}[0-9 :.+-]*)?$/,"").replace(/^[ab]\//,
"")}function W(e,t){let[s,n]=[m(e),m(t)];return s==="/dev/null"?`${n} (new)`:n==="/dev/null"?`${s} (deleted)`:s===n?n:`${s} → ${n}`}function J(e,t=!1){let s;try{
s=JSON.parse(e)}catch{return}let n=s;if(typeof n!="object"||n===null||!Array.isArray(n.edits)||n.edits.length===0||t&&!(w(n,"path","edits")&&typeof(n.path??"")==
"string"&&n.edits.every(i=>w(i,"oldText","newText"))))return;let d=typeof n.path=="string"?[{kind:"file",text:n.path}]:[];for(let i of n.edits){if(typeof i?.oldText!=
"string"||typeof i.newText!="string")return;d.push({kind:"hunk",text:"replaces"}),d.push(...y(i.oldText,"del"),...y(i.newText,"add"))}return d}function w(e,...t){
return Object.keys(e??{}).every(s=>t.includes(s))}function y(e,t){return e===""?[]:e.replace(/\n$/,"").split(`
`).map(s=>({kind:t,text:s}))}var O={add:"+",del:"−",same:" "},D={add:"added",del:"removed"};function R({text:e,lines:t,fold:s=200,label:n="Changes",isFolded:d}){let i=v(()=>t??L(e??""),[e,
t]),[l,a]=g(!1),p=$(i),r=l?i:i.slice(0,s),c=b(null),u=r.length<i.length;x(()=>{if(d!==void 0)return d.value=u,()=>{d.value=!1}},[d,u]);let o=()=>{c.current?.focus(),
a(!0)};return f("div",{class:`diff${i.some(h=>(h.new??h.old)!==void 0)?"":" unnumbered"}`,role:"group","aria-label":`${n}: ${p.added} lines added, ${p.removed} \
removed`,tabIndex:0,ref:c,children:[f("div",{class:"diff-lines",children:r.map((h,S)=>f(N,{line:h},S))}),u?f("button",{type:"button",class:"more",onClick:o,children:[
i.length-r.length," more lines"]}):null]})}function N({line:e}){return e.kind==="file"||e.kind==="hunk"||e.kind==="note"?f("div",{class:`d-${e.kind}`,children:k(
e.text)}):f("div",{class:`d-line d-${e.kind}`,children:[f("span",{class:"d-number","aria-hidden":"true",children:e.new??e.old??""}),f("span",{class:"d-mark","ar\
ia-hidden":"true",children:O[e.kind]}),f("span",{class:"d-text",children:[D[e.kind]===void 0?null:f("span",{class:"unseen",children:[D[e.kind],": "]}),k(e.text)]})]})}export{L as a,$ as b,E as c,J as d,R as e};
