/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{c as P}from"./part-S5T474SM.js";import{a as x,k as f}from"./part-LMNZKLVE.js";import{a as E,f as k,o as m,r as e}from"./part-WMXWHT22.js";function S(o,n){let c=[],l=0,p=r=>{let t=[];for(;l<n.length&&n[l].seq<=r;)t.push(n[l++]);return t};for(let r=0;r<o.length;){let t=o[r],s=r+1;for(;s<o.length&&t.
batch!==void 0&&o[s].batch===t.batch&&o[s].incarnation===t.incarnation;)s++;let d=o.slice(r,s);r=s;let a=t.from,i=t.to??t.from;if(a===void 0||i===void 0){c.push(
{lines:d,events:[]});continue}let b=p(a-1);b.length>0&&c.push({lines:[],events:b}),c.push({lines:d,events:p(i)})}let u=n.slice(l);return u.length>0&&c.push({lines:[],
events:u}),c}var h=100,$=1e3;function F({session:o}){let n=P(),c=o.fold.state.seq,l=m(c),p=m(void 0),u=m(""),r=m(""),t=l.value;k(()=>{let a=new AbortController,i=Math.max(1,
t-h+1);return(async()=>{let v=n.client.session(o.id),y=[];for await(let{event:g}of v.log({since:{epoch:o.fold.cursor.epoch,seq:i-1},signal:a.signal})){if(g.seq>
t)break;y.push(g)}let w=[],L=!1;for await(let g of(await v.raw({from:i,to:Math.max(i,t),signal:a.signal})).lines){if(w.length===$){L=!0;break}w.push(g)}p.value=
{pairs:S(w,y),from:i,to:t,isCut:L},u.value=""})().catch(v=>{a.signal.aborted||(u.value=x(v))}),()=>a.abort()},[o,t]);let s=p.value,d=o.seq.value;return e("div",
{class:"part raw",children:[e("div",{class:"part-bar",children:[e("button",{type:"button",class:"small",disabled:s===void 0||s.from<=1,onClick:()=>{l.value=Math.
max(1,t-h)},children:"← Older"}),e("span",{class:"note",role:"status",children:s===void 0?"Reading…":`Events ${s.from} to ${s.to} of ${d}`}),e("button",{type:"\
button",class:"small",disabled:t>=d,onClick:()=>{l.value=Math.min(d,t+h)},children:"Newer →"}),e("form",{onSubmit:a=>{a.preventDefault();let i=Number(r.peek());
Number.isInteger(i)&&i>0&&(l.value=Math.min(d,i+h/2))},children:[e("input",{"aria-label":"Go to the event of a number",placeholder:"event",inputMode:"numeric",value:r.
value,onInput:a=>{r.value=a.currentTarget.value}}),e("button",{class:"small",children:"Go"})]})]}),u.value===""?null:e("p",{class:"error",role:"alert",children:f(
u.value)}),s?.isCut?e("p",{class:"warning",children:["These events came of more than ",$," native lines; the first ones are shown."]}):null,s===void 0?null:e("d\
iv",{class:"pairs",children:[e("div",{class:"pair pair-head","aria-hidden":"true",children:[e("span",{children:"Lines of the agent’s connection"}),e("span",{children:"\
Events of the log"})]}),e("ol",{children:s.pairs.map((a,i)=>e(C,{pair:a},`${a.lines[0]?.line??""}/${a.events[0]?.seq??""}/${i}`))}),s.pairs.length===0?e("p",{class:"\
empty",children:"Nothing is there."}):null]})]})}var R={out:"agent →",in:"→ agent",err:"stderr",meta:"connection",note:"missing"};function C({pair:o}){return e(
"li",{class:"pair",children:[e("div",{class:"pair-side",children:o.lines.map(n=>e(O,{name:`${R[n.dir]??f(n.dir)} ${n.line}`,value:n.data},n.line))}),e("div",{class:"\
pair-side",children:o.events.map(n=>e(O,{name:`${n.seq} ${f(n.type)}`,value:n,hidden:3},n.seq))})]})}var q=160;function O({name:o,value:n,hidden:c=0}){let l=m(!1),
p=m(""),u=typeof n=="string"?n:JSON.stringify(n),r=c===0?u:JSON.stringify(Object.fromEntries(Object.entries(n).slice(c))),t=()=>{navigator.clipboard.writeText(u).
then(()=>{p.value="copied"},()=>{p.value="not allowed"})};return e("details",{class:"json",onToggle:s=>{l.value=s.currentTarget.open},children:[e("summary",{children:[
e("span",{class:"kind",children:o})," ",e("code",{children:[f(r.slice(0,q)),r.length>q?"…":""]})]}),l.value?e(E,{children:[e("pre",{class:"wrap",tabIndex:0,role:"\
group","aria-label":o,children:f(typeof n=="string"?n:JSON.stringify(n,null,2))}),e("p",{children:[e("button",{type:"button",class:"small",onClick:t,children:"C\
opy"})," ",e("span",{class:"note",role:"status",children:p.value})]})]}):null]})}export{F as Raw};
