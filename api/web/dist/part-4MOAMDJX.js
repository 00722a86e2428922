/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{e as L}from"./part-UCHGSOGL.js";import{g as q}from"./part-QQFDD3BP.js";import{c as b}from"./part-S5T474SM.js";import{a as I,d as B,g as P,
k as y}from"./part-LMNZKLVE.js";import"./part-QM4WH6KA.js";import{a as N,f as _,h as E,o as f,r as e}from"./part-WMXWHT22.js";function C(){let t=f(!1),n=f(""),i=f("");return{isBusy:t,error:n,said:i,run:async l=>{t.value=!0,n.value=i.value="";try{return i.value=await l(),!0}catch(a){return n.
value=I(a),!1}finally{t.value=!1}}}}function T({act:t}){return e(N,{children:[e("p",{class:"note",role:"status",children:t.isBusy.value?"Sending…":y(t.said.value)}),t.error.value===""?null:e("p",
{class:"error",role:"alert",children:y(t.error.value)})]})}var Z={now:"It counts from the next request to a model on.",next_turn:"The agent says that it counts from the next turn on.",when_idle:"It counts once the runni\
ng turn has ended.",at_start:"It counts once the agent is ready."},W="\0other";function J({id:t,kind:n,summary:i,session:u}){let l=b(),a=C(),c=f(void 0),g=f(""),
v=f(""),s=f(""),p=f(!1),w=l.agents.value.get(i.agent),k=w?.capabilities[n==="model"?"models":"modes"]!==!1,o=(u.head.value>=0?u.fold.state[n]:void 0)??i[n]??"",
r=(n==="model"?i.pendingModel:i.pendingMode)??"",{state:m}=i.status,S=!["idle","completed","terminated","failed","starting"].includes(m);if(_(()=>{if(!k)return;
let d=new AbortController,D=l.client.session(t);return(n==="model"?D.models({signal:d.signal}).then(h=>({list:h.models.length>0?h.models:w?.models??[],all:h.all,
known:h.known})):D.modes({signal:d.signal}).then(h=>({list:h.modes.length>0?h.modes:w?.modes??[],all:!0,known:h.known}))).then(h=>{c.value=h,g.value=""},h=>{g.value=
d.signal.aborted?"":I(h)}),()=>d.abort()},[t,n,k,m==="starting"]),!k)return n==="mode"?null:e("p",{class:"control note",children:"This agent’s model cannot be c\
hanged while it runs."});let x=c.value,O=x?.list??[],F=v.value===W,$=F?s.value.trim():v.value,A=r||o,K=A===""||O.some(d=>d.id===A)?O:[{id:A},...O],Q=n==="model"?
"Model":"Mode",U=()=>{a.run(async()=>{let d=l.client.session(t),D=S&&p.peek()?{when:"idle"}:{},{applied:X}=n==="model"?await d.setModel({model:$,...D}):await d.
setMode({mode:$,...D});return v.value="",Z[X]??""})};return e("form",{class:"control",onSubmit:d=>{d.preventDefault(),U()},children:[e("label",{for:`control-${n}`,
children:Q}),e("div",{class:"control-row",children:[e("select",{id:`control-${n}`,disabled:x===void 0,value:v.value===""?A:v.value,onChange:d=>{v.value=d.currentTarget.
value},children:[A===""?e("option",{value:"",children:x===void 0?"Asking the agent…":"The agent’s own"}):null,K.map(d=>e("option",{value:d.id,children:y(d.label??
d.id)},d.id)),x!==void 0&&!x.all?e("option",{value:W,children:"Another one…"}):null]}),e("button",{disabled:a.isBusy.value||$===""||$===A,children:"Change"})]}),
F?e("input",{"aria-label":`The ${n}, in the agent’s own words`,autocomplete:"off",spellcheck:!1,maxLength:1024,value:s.value,ref:d=>{d!==null&&s.peek()===""&&
d.focus()},onInput:d=>{s.value=d.currentTarget.value}}):null,S&&$!==""&&$!==A?e("label",{class:"check",children:[e("input",{type:"checkbox",checked:p.value,onChange:d=>{
p.value=d.currentTarget.checked}})," Only when the running turn has ended"]}):null,r===""?null:e("p",{class:"note",children:[y(r)," is chosen and not in force y\
et",o===""?"":`; in force: ${y(o)}`,"."]}),x?.known===!1?e("p",{class:"note",children:"The agent says what it offers while it runs."}):null,g.value===""?null:e(
"p",{class:"error",children:y(g.value)}),e(T,{act:a})]})}function H({id:t,summary:n}){let i=b(),u=C(),l=f(""),a=E(null);_(()=>{l.value!==""&&a.current?.scrollIntoView({block:"nearest"})},[l.value]);let{state:c}=n.status,
g=c==="completed"||c==="terminated"||c==="failed",v=[...i.sessions.value.values()].filter(o=>o.parentSessionId===t&&(o.subAgent||o.spawned)).length,s=n.status.queuedPrompts??
0,p=[v>0?`${P(v,"session")} below it`:"",s>0?`${P(s,"prompt")} that ${s===1?"waits":"wait"}`:""].filter(o=>o!=="").join(" and "),w=()=>{u.run(async()=>(await i.
client.session(t).end(),l.value="",""))},k=()=>{u.run(async()=>(await i.client.session(t).remove(),q(t),""))};return e("section",{class:"control ending",ref:a,"\
aria-labelledby":"ending-title",children:[e("h3",{id:"ending-title",children:g?"Remove it":"End or remove it"}),l.value===""?e("div",{class:"answers",children:[
g?null:e("button",{type:"button",onClick:()=>{l.value="end"},children:"End the session…"}),e("button",{type:"button",class:"danger",onClick:()=>{l.value="remo\
ve"},children:"Delete the session…"})]}):e("div",{class:"answers",role:"group","aria-label":l.value==="end"?"End the session?":"Delete the session?",children:[
e("p",{class:"twice",children:l.value==="end"?`Its agent goes${p===""?"":`, with ${p}`}. What was said stays.`:`Its log, images and lines of the agent are remov\
ed for good${g?"":", and its agent goes"}${p===""?"":`, with ${p}`}. Files that the agent has changed stay as they are.`}),e("button",{type:"button",class:"dang\
er",disabled:u.isBusy.value,onClick:l.value==="end"?w:k,children:l.value==="end"?"Yes, end it":"Yes, delete it for good"}),e("button",{type:"button",ref:o=>o?.focus(),
onClick:()=>{l.value=""},children:"Not yet"})]}),e(T,{act:u})]})}function V({id:t,summary:n}){let i=b(),u=C(),l=f(n.title??"");return e("form",{class:"control",onSubmit:a=>{a.preventDefault();let c=l.peek().trim();u.run(async()=>(await i.
client.session(t).change({title:c===""?null:c}),c===""?"It is called what its agent calls it.":"It stays, whatever the agent calls its session."))},children:[e(
"label",{for:"control-title",children:"Title"}),e("div",{class:"control-row",children:[e("input",{id:"control-title",dir:"auto",autocomplete:"off",maxLength:1e3,
value:l.value,placeholder:n.firstPrompt??"",onInput:a=>{l.value=a.currentTarget.value}}),e("button",{disabled:u.isBusy.value||l.value.trim()===(n.title??""),children:"\
Rename"})]}),e(T,{act:u})]})}function R(t){return{mode:t?.mode??"",deadline:t?.deadline===void 0?"":String(t.deadline),byDefault:t?.default??"",list:(t?.rules??[]).map(n=>({action:n.action,
tool:n.tool??"",pattern:n.pattern??""}))}}function Y(t){return t.mode===""&&t.deadline===""&&t.list.length===0?null:{mode:t.mode===""?null:t.mode,deadline:t.deadline===
""?null:Number(t.deadline),default:t.deadline===""||t.byDefault===""?null:t.byDefault,rules:t.list.length===0?null:t.list.map(({action:n,tool:i,pattern:u})=>({action:n,
...i.trim()===""?{}:{tool:i.trim()},...u===""?{}:{pattern:u}}))}}function z(t){let n=t.list.find(i=>i.action==="allow"&&i.tool.trim()===""&&i.pattern==="");return t.
mode==="allow_all"||n!==void 0?"Commands will run and files will change without anybody being asked.":t.deadline!==""&&t.byDefault==="allow"?"What nobody answer\
s in time will be allowed.":""}function M(t,n,i){let u=n+i,l=[...t];return u<0||u>=l.length||([l[n],l[u]]=[l[u],l[n]]),l}var j=[["","No policy: everything is asked"],["ask","Ask about everything"],["allow_reads","Allow what only reads, ask about the rest"],["allow_all","Allow ever\
ything"],["deny_all","Deny everything"]],ee=[["allow","Allow"],["deny","Deny"],["deny_stop","Deny and stop"],["ask","Ask"]],te=[6e4,3e5,6e5,18e5,36e5,288e5,864e5],
ne=[["","denied"],["deny_stop","denied, and the turn stopped"],["allow","allowed"]];function G({id:t,policy:n}){let i=b(),u=C(),l=f(n),a=f(R(n)),c=o=>JSON.stringify(
R(o)),g=JSON.stringify(a.value)!==c(l.value);!g&&c(n)!==c(l.value)&&(l.value=n,a.value=R(n));let v=g&&c(n)!==c(l.value),s=a.value,p=o=>{a.value={...a.peek(),...o}},
w=(o,r)=>p({list:s.list.map((m,S)=>S===o?{...m,...r}:m)}),k=z(s);return e("form",{class:"control rules",onSubmit:o=>{o.preventDefault();let r=a.peek();u.run(async()=>{
let m=await i.client.session(t).change({policy:Y(r)});return l.value=m.policy,a.value=R(m.policy),"It counts for approvals that are asked from now on."})},children:[
e("label",{for:"control-policy",children:"Approvals"}),e("select",{id:"control-policy",value:s.mode,onChange:o=>p({mode:o.currentTarget.value}),children:j.map(([
o,r])=>e("option",{value:o,children:o===""&&s.list.length>0?"What no rule answers is asked":r},o))}),s.list.length===0?null:e("ol",{class:"rule-list","aria-labe\
l":"Rules: the first that fits answers",children:s.list.map((o,r)=>e("li",{children:[e("select",{"aria-label":`Rule ${r+1}: what it does`,value:o.action,onChange:m=>w(
r,{action:m.currentTarget.value}),children:ee.map(([m,S])=>e("option",{value:m,children:S},m))}),e("input",{"aria-label":`Rule ${r+1}: tool or kind`,placeholder:"\
any tool",list:"rule-tools",maxLength:1024,autocomplete:"off",spellcheck:!1,value:o.tool,onInput:m=>w(r,{tool:m.currentTarget.value})}),e("input",{"aria-label":`\
Rule ${r+1}: command, path or address`,placeholder:"any command or path",maxLength:1024,autocomplete:"off",spellcheck:!1,value:o.pattern,onInput:m=>w(r,{pattern:m.
currentTarget.value})}),e("span",{class:"rule-moves",children:[e("button",{type:"button",class:"quiet small","aria-label":`Move rule ${r+1} up`,disabled:r===0,onClick:()=>p(
{list:M(s.list,r,-1)}),children:"↑"}),e("button",{type:"button",class:"quiet small","aria-label":`Move rule ${r+1} down`,disabled:r===s.list.length-1,onClick:()=>p(
{list:M(s.list,r,1)}),children:"↓"}),e("button",{type:"button",class:"quiet small","aria-label":`Take rule ${r+1} out`,onClick:()=>p({list:s.list.filter((m,S)=>S!==
r)}),children:"✕"})]})]},r))}),e("datalist",{id:"rule-tools",children:["read","search","edit","execute","fetch","other"].map(o=>e("option",{value:o},o))}),e("\
div",{children:e("button",{type:"button",class:"small",disabled:s.list.length>=256,onClick:()=>p({list:[...s.list,{action:"allow",tool:"",pattern:""}]}),children:"\
Add a rule"})}),e("div",{class:"control-row",children:[e("label",{class:"inline",children:["A person has",e("select",{value:s.deadline,onChange:o=>p({deadline:o.
currentTarget.value}),children:[e("option",{value:"",children:"as long as the agent waits"}),[...new Set([...te,...s.deadline===""?[]:[Number(s.deadline)]])].sort(
(o,r)=>o-r).map(o=>e("option",{value:String(o),children:B(o)},o))]})]}),s.deadline===""?null:e("label",{class:"inline",children:["then it is",e("select",{value:s.
byDefault==="deny"?"":s.byDefault,onChange:o=>p({byDefault:o.currentTarget.value}),children:ne.map(([o,r])=>e("option",{value:o,children:r},o))})]})]}),k===""?null:
e("p",{class:"warning",children:k}),v?e("p",{class:"warning",children:["It was changed elsewhere meanwhile. ",e("button",{type:"button",class:"small",onClick:()=>{
l.value=n,a.value=R(n)},children:"Take that"})]}):null,e("div",{class:"control-row",children:[e("button",{class:g?"primary":"",disabled:!g||u.isBusy.value,children:"\
Set the policy"}),g?e("button",{type:"button",class:"quiet",onClick:()=>{l.value=n,a.value=R(n)},children:"As it was"}):null]}),e(T,{act:u})]})}function Ke({id:t,session:n,close:i}){let u=b(),l=E(null),a=u.sessions.value.get(t),c=a!==void 0;if(_(()=>l.current?.showModal(),[]),_(()=>{c||i()},[c]),a===void 0)
return null;let g=[["Id",t],["Folder",a.cwd],["Agent",[a.agent,a.agentVersion].filter(Boolean).join(" ")],["Agent’s own id",a.nativeSessionId],["Owner",a.owner]];
return e("dialog",{ref:l,class:"controls","aria-labelledby":"controls-title",onClose:i,children:[e("header",{children:[e("h2",{id:"controls-title",dir:"auto",children:y(
L(a))}),e("form",{method:"dialog",children:e("button",{class:"quiet","aria-label":"Close",children:"✕"})})]}),e(V,{id:t,summary:a}),e(J,{id:t,kind:"model",summary:a,
session:n}),e(J,{id:t,kind:"mode",summary:a,session:n}),e(G,{id:t,policy:a.policy}),e("section",{"aria-labelledby":"facts-title",children:[e("h3",{id:"facts-tit\
le",children:"About it"}),e("dl",{children:g.map(([v,s])=>s?e("div",{children:[e("dt",{children:v}),e("dd",{children:y(s)})]},v):null)})]}),e(H,{id:t,summary:a})]})}export{Ke as Controls};
