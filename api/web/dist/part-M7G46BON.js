/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{b as O,c as P,e as L,k as A,l as J,o as B,q as R}from"./part-6Y4QWD2B.js";import{f as X}from"./part-QQFDD3BP.js";import"./part-HOSYZYDA.js";
import"./part-LRED2DU6.js";import{c as W}from"./part-S5T474SM.js";import{a as j,j as N,k as f}from"./part-LMNZKLVE.js";import"./part-QM4WH6KA.js";
import{a as $,f as C,i as g,o as p,r as n}from"./part-WMXWHT22.js";function K(t){let s=[];for(let e of t.turns)if(s.push({seq:e.startSeq,kind:"turn",words:`${e.turnId} begins`}),e.endSeq!==void 0){let r=e.status==="error"||e.cause===
"lost";s.push({seq:e.endSeq,kind:r?"failed":"turn",words:r?`${e.turnId} fails`:`${e.turnId} ends`})}for(let e of t.requests)s.push({seq:e.openedSeq,kind:"reques\
t",words:e.kind==="approval"?`${e.toolName??"a tool"} asks`:"a question"}),e.resolvedSeq!==void 0&&s.push({seq:e.resolvedSeq,kind:"request",words:e.resolved?.outcome??
"answered"});for(let e of t.entries)e.entryType==="compaction"?s.push({seq:e.endSeq??e.startSeq,kind:"compaction",words:"compaction"}):e.entryType==="tool_call"&&
e.data.status==="error"&&e.endSeq!==void 0&&s.push({seq:e.endSeq,kind:"failed",words:`${e.data.toolName} fails`});return t.end!==void 0&&s.push({seq:t.seq,kind:t.
end.reason==="error"?"failed":"end",words:"the session ends"}),s.sort((e,r)=>e.seq-r.seq)}function E(t,s,e){return e>0?t.find(r=>r.seq>s):t.findLast(r=>r.seq<s)}
var D={failed:3,request:2,compaction:1,end:1,turn:0};function U(t,s,e){let r=new Map;for(let o of t){let d=s<=1?0:Math.round((o.seq-1)/(s-1)*e),u=r.get(d);(u===
void 0||D[o.kind]>D[u.kind])&&r.set(d,o)}return[...r].map(([o,d])=>({part:o/e,mark:d}))}var Y=3e3,y=class extends Error{constructor(){super("The daemon does not answer, and this browser has not kept the whole log up to there.")}};async function _(t,s,e,r){
let o=Z(),d=t.questions.put({type:"past",id:s,at:e},a=>o.resolve(a.type==="past"&&a.state!==void 0?L(a.state):void 0)),u=setTimeout(()=>o.resolve(void 0),Y),w=()=>o.
reject(r.reason);r.addEventListener("abort",w);try{return await o.promise??await J(t.client.session(s),{at:e,signal:r})}catch(a){throw a instanceof Error&&a.name===
"Unreachable"?new y:a}finally{clearTimeout(u),r.removeEventListener("abort",w),d()}}function Z(){let t={};return{promise:new Promise((e,r)=>Object.assign(t,{resolve:e,
reject:r})),...t}}function z({session:t}){let s=p(!0),{openRequests:e,state:r}=t.fold;return n(R,{session:t,isAtEnd:s,tail:n($,{children:[r.entries.length===0&&r.turns.length===0?
n("p",{class:"empty",children:"Nothing had been said yet."}):null,e.map(o=>n("section",{class:"request past","aria-label":"What was asked",children:[n("h3",{dir:"\
auto",children:o.kind==="approval"?n($,{children:[n("span",{class:"asks",children:"wanted"})," ",f([o.toolName,o.toolKind==="execute"?"":o.subject].filter(Boolean).
join(" "))]}):f(o.title)}),n(B,{request:o,call:t.fold.entry(o.entryId??"")}),n("p",{class:"note",children:"It was open at this time."})]},o.requestId)),r.queue.
length===0?null:n("section",{class:"then-queue",children:[n("h3",{children:"Waiting then"}),n("ol",{children:r.queue.map(o=>n("li",{dir:"auto",children:f(o.text.
split(`
`)[0]??"")},o.promptId))})]}),r.end===void 0?null:n("p",{class:"mark",children:"The session had ended."})]})})}var ee=120,te=1500;function Te({session:t,here:s}){let e=W(),r=t.fold.state.seq,o=Math.max(t.seq.value,r,1),d=se(s.at,t.fold.cursor),u=d?.epoch??t.fold.cursor.epoch,
w=g(()=>Math.max(1,r),[t,d===void 0,u]),a=Math.min(d?.seq??w,o),M=p(void 0),q=p(""),l=p(!1),b=p(""),T=p(!1),G=T.value&&e.link.value==="live",H=t.head.value,v=g(
()=>K(t.fold.state),[t,H]),Q=g(()=>U(v,o,200),[v,o]),m=i=>{b.value="",X({id:s.id,part:"time",at:O({epoch:t.fold.cursor.epoch,seq:Math.max(1,Math.min(o,i))})},!0)};
C(()=>{let i=new AbortController,S=setTimeout(()=>{_(e,t.id,{epoch:u,seq:a},i.signal).then(k=>{let I=new A(t.id,k.seq);I.begin(k,{epoch:k.epoch,seq:k.seq},!0),M.
value=I,q.value="",T.value=!1},k=>{i.signal.aborted||(q.value=j(k),T.value=k instanceof y,l.value=!1)})},M.peek()===void 0?0:ee);return()=>{clearTimeout(S),i.abort()}},
[t,u,a,G]);let h=E(v,a,1),F=E(v,a,-1);C(()=>{if(!l.value)return;if(h===void 0){l.value=!1;return}let i=setTimeout(()=>m(h.seq),te);return()=>clearTimeout(i)},[l.
value,a,h?.seq]);let c=M.value,V=c!==void 0&&c.fold.state.seq===a,x=v.find(i=>i.seq===a);return n("div",{class:"part time",children:[n("div",{class:"slider",children:[
n("div",{class:"ticks","aria-hidden":"true",children:Q.map(({part:i,mark:S})=>n("span",{class:`tick tick-${S.kind}`,style:{left:`${i*100}%`}},S.seq))}),n("input",
{type:"range",min:1,max:o,value:a,"aria-label":"Place in the log","aria-valuetext":`event ${a} of ${o}${x===void 0?"":`, ${x.words}`}`,onInput:i=>{l.value=!1,m(
Number(i.currentTarget.value))}}),n("div",{class:"part-bar",children:[n("button",{type:"button",class:"small",disabled:F===void 0,onClick:()=>m(F.seq),children:"\
← Mark"}),n("button",{type:"button",class:"small","aria-label":"−1 event",disabled:a<=1,onClick:()=>m(a-1),children:"−1"}),n("button",{type:"button",class:"\
small","aria-label":"+1 event",disabled:a>=o,onClick:()=>m(a+1),children:"+1"}),n("button",{type:"button",class:"small",disabled:h===void 0,onClick:()=>m(h.seq),
children:"Mark →"}),n("button",{type:"button",class:"small","aria-pressed":l.value,disabled:h===void 0,onClick:()=>{l.value=!l.peek()},children:l.value?"Pause":
"Play"}),n("span",{class:"note grows",role:"status",children:V?[`event ${a} of ${o}`,new Date(c.fold.state.ts).toLocaleString(),N(c.fold.state.status?.state??"",
f(c.fold.state.status?.toolName??"")),x?.words??""].filter(i=>i!=="").map(f).join(" · "):`event ${a} of ${o}…`}),n("button",{type:"button",class:"small",onClick:()=>{
m(a),navigator.clipboard.writeText(location.href).then(()=>{b.value="copied"},()=>{b.value="The address has it."})},children:b.value===""?"Copy a link":b.value})]}),
n(oe,{marks:v})]}),q.value===""?null:n("p",{class:"error",role:"alert",children:f(q.value)}),c===void 0?q.value===""?n("p",{class:"empty",role:"status",children:"\
Asking for the state…"}):null:n(z,{session:c},c.fold.state.seq)]})}var ne=[["turn","turns"],["request","requests"],["failed","failures"],["compaction","compac\
tions"]];function oe({marks:t}){return n("p",{class:"legend",children:ne.filter(([s])=>t.some(e=>e.kind===s)).map(([s,e])=>n("span",{class:`key-${s}`,children:e},
s))})}function se(t,s){try{let e=t===void 0?void 0:P(t);return e===void 0||e.seq<1?void 0:{epoch:e.epoch||s.epoch,seq:e.seq}}catch{return}}export{Te as Time};
