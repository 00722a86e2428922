/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as j,b as pe,c as me,d as _,e as fe,f as Et,g as he,h as Tt,i as ge,j as ye,k as we,l as ve,m as Ot,n as ze,o as qt,p as Kt,q as Bt,r as B,s as Jt}from"./part-FQCTX5C4.js";
import{a as Se,b as At,c as Lt,d as It}from"./part-TGA47FIY.js";import{a as Ft,b as Wt,d as Nt,e as q,f as Dt}from"./part-UCHGSOGL.js";import{a as xe,
b as V,d as Pe,h as Mt}from"./part-QQFDD3BP.js";import"./part-HOSYZYDA.js";import"./part-LRED2DU6.js";import{a as $t,b as Y,c as T}from"./part-S5T474SM.js";
import{a as $,b as oe,e as Ct,f as be,g as re,h as Z,i as Rt,j as ke,k as m}from"./part-LMNZKLVE.js";import{b as M,d as ie,e as R}from"./part-QM4WH6KA.js";
import{a as P,c as bt,f as v,g as kt,h as E,i as D,k as St,l as xt,m as k,n as _e,o as f,p as Pt,q as K,r as o}from"./part-WMXWHT22.js";var Ut="#login=",Ee=location.hash.startsWith(Ut)?location.hash.slice(Ut.length):"";Ee!==""&&history.replaceState(null,"",location.pathname+location.search);function Gt(){
return Ee!==""}function Te(){let n=Ee;return Ee="",n}var Xt=document.documentElement.dataset.arrived==="elsewhere";var Ht={now:()=>performance.now(),after:(n,e)=>{let t=setTimeout(e,n);return()=>clearTimeout(t)},random:Math.random};function Oe(n,e,t){return new Promise((s,r)=>{
if(t?.aborted){r(t.reason);return}let i=()=>{a(),r(t.reason)},a=n.after(e,()=>{t?.removeEventListener("abort",i),s()});t?.addEventListener("abort",i,{once:!0})})}var W=class extends Error{name="Problem";code;status;title;detail;hint;errors;lookAt;retryAfterMs;body;constructor(e,t=0){super(e.detail??e.title),this.body=e,this.
code=e.code,this.status=e.status,this.title=e.title,this.detail=e.detail??"",this.hint=e.hint??"",this.errors=e.errors??[],this.lookAt=e.lookAt??"",this.retryAfterMs=
t}},x=class extends Error{name="Unreachable";where;sent;hint="start one with: ringmaster up, or name another address";constructor(e,t,s){let r=s instanceof Error?
`: ${s.message}`:"";super(s===void 0?`no daemon runs for ${e}`:`no daemon answers at ${e}${r}`,{cause:s}),this.where=e,this.sent=t}},S=class extends Error{name="\
UnexpectedAnswer"};function Ce(n){return n instanceof W?n.code==="overloaded"||n.code==="unavailable":n instanceof x}var ls=new Set(["ECONNREFUSED","ENOENT","EN\
OTFOUND","EAI_AGAIN","EHOSTUNREACH","ENETUNREACH","EACCES","UND_ERR_CONNECT_TIMEOUT"]);function jt(n,e){let t=e instanceof Error&&e.cause instanceof Error?e.cause:
e,s=t instanceof Error&&"code"in t?String(t.code):"";return new x(n,!ls.has(s),t)}function ae(n,e,t){let s=n>1?Math.min(250*2**Math.min(n-2,10),3e4)/2:0,r=Math.max(s,e/2);return Math.floor(Math.max(s,e)+t*r)}async function ds(n,e,t,s){let r={...e,headers:{...e.headers,"Idempotency-Key":t}},i=!1,a=0;for(let l=1;;l++)try{return await n.json(r,s)}catch(u){if(s?.throwIfAborted(),
i||=u instanceof x&&u.sent,!i||!Ce(u)||a>=n.patienceMs)throw i&&u instanceof x&&!u.sent?new x(u.where,!0,u.cause):u;let d=ae(l,0,n.clock.random());a+=Math.max(d,
1),await Oe(n.clock,d,s)}}function O(n,e,t){return ds(n,e,t.key||us(),t.signal)}function us(){return Array.from(crypto.getRandomValues(new Uint8Array(16)),n=>n.
toString(16).padStart(2,"0")).join("")}var Qe=6e4,cs=64<<20,Ve=1<<20,Re=class{base;where;name;patienceMs;clock;#e;#t;constructor(e){this.base=fs(e.base),this.where=e.where??this.base,this.name=e.name,
this.patienceMs=e.patienceMs??3e4,this.clock=e.clock??Ht,this.#e=e.token,this.#t=e.fetch??((t,s)=>fetch(t,s))}async do(e,t){let s=await this.request(e,t);if(s.ok)
return s;throw Ye(s,await _t(s,Ve).catch(()=>""))}async request(e,t){let s={...e.headers};this.#e!==void 0&&(s.Authorization=`Bearer ${this.#e}`),e.body!==void 0&&
(s["Content-Type"]??="application/json");let r=new AbortController,i=t===void 0?r.signal:AbortSignal.any([t,r.signal]),a=this.clock.after(e.patienceMs??Qe,()=>r.
abort(new Error("the answer does not come")));try{return await this.#t(this.base+e.path+ms(e.query??{}),{method:e.method,headers:s,body:e.body===void 0?null:JSON.
stringify(e.body),signal:i,redirect:"manual",credentials:"omit",cache:"no-store",referrerPolicy:"no-referrer"})}catch(l){throw t?.throwIfAborted(),r.signal.aborted?
new x(this.where,!0,r.signal.reason):jt(this.where,l)}finally{a()}}async json(e,t){let s=await this.text(e,t);try{return s.trim()===""?void 0:JSON.parse(s)}catch(r){
throw new S(`${e.method} ${e.path}: the daemon's answer is no JSON`,{cause:r})}}async text(e,t){let s=await this.do(e,t);try{return await _t(s,cs)}catch(r){throw t?.
throwIfAborted(),r instanceof S?r:new x(this.where,!0,r)}}};function Ye(n,e){let t=n.headers.get("Content-Type")?.split(";")[0]?.trim()==="application/problem+j\
son";try{let s=JSON.parse(e);if(t&&typeof s.code=="string")return new W({...s,status:n.status},ps(n))}catch{}return new S(`the daemon answered ${n.status}, whic\
h is none of its own answers: is it something else that listens there?`)}function ps(n){let e=n.headers.get("Retry-After")??"";return/^[0-9]{1,6}$/.test(e)?Number(
e)*1e3:0}async function _t(n,e){let t=n.body?.getReader(),s=new TextDecoder,r="",i=0;for(let a=await t?.read();a!==void 0&&!a.done;a=await t.read()){if(i+=a.value.
length,i>e)throw await t.cancel(),new S(`the daemon's answer is longer than ${e>>20} MiB`);r+=s.decode(a.value,{stream:!0})}return r+s.decode()}function ms(n){let e=new URLSearchParams;
for(let[t,s]of Object.entries(n))for(let r of Array.isArray(s)?s:s===void 0?[]:[s])e.append(t,String(r));return e.size===0?"":`?${e}`}function fs(n){let e;try{e=
new URL(n)}catch{}if(e===void 0||!["http:","https:"].includes(e.protocol)||e.username+e.password+e.search+e.hash!==""||e.pathname!=="/")throw new TypeError(`bas\
e ${JSON.stringify(n.slice(0,200))}: want http://HOST:PORT or https://HOST:PORT`);return e.origin}var hs=45e3,zt=1e4,J=class n{response;#e;#t;#o;#n;#s;constructor(e,t,s,r,i){this.response=t,this.#e=e,this.#o=s,this.#n=r,this.#t=i,this.#s=t.body?.getReader()}static async open(e,t,s){
s?.throwIfAborted();let r=new AbortController,i=()=>r.abort(s.reason),a=()=>s?.removeEventListener("abort",i);s?.addEventListener("abort",i,{once:!0});try{return new n(
e,await e.request(t,r.signal),r,a,s)}catch(l){throw a(),l}}static async begin(e,t,s){let r=await n.open(e,t,s);if(r.response.ok)return r;try{throw await r.problem()}finally{
r.close()}}async problem(){let e=new TextDecoder,t="";for(let s=await this.next();s!==void 0&&t.length<Ve;s=await this.next())t+=e.decode(s,{stream:!0});return Ye(
this.response,t)}async next(){let e=this.#e.clock.after(hs,()=>this.#o.abort(new Error("the daemon went silent")));try{return(await this.#s?.read())?.value}catch(t){
throw this.#t?.throwIfAborted(),new x(this.#e.where,!0,this.#o.signal.aborted?this.#o.signal.reason:t)}finally{e()}}close(){this.#n(),this.#o.abort(new Error("c\
losed")),this.#s?.cancel().catch(()=>{})}};function Ze(n,e){let t=e.since!==void 0&&e.since.seq>0?_(e.since):void 0;return{method:"GET",path:`${n}/log`,query:{since:t,view:e.view==="settled"?e.view:void 0}}}
function et(n){let[e,t]=["X-Session-Version","X-Session-Epoch"].map(s=>Number(n.headers.get(s)??NaN));if(!Number.isSafeInteger(e)||!Number.isSafeInteger(t))throw new S(
"the daemon's log does not say how far it goes");return{version:e,epoch:t}}async function*Qt(n,e,t){let s=await J.begin(n,Ze(e,t),t.signal);try{let{version:r,epoch:i}=et(
s.response),a=new we,l=t.since?.seq??0,u=l===0;for(let d=await s.next();d!==void 0;d=await s.next())for(let p of a.push(d)){let c=gs(p);if(t.view==="settled"||u?
c.seq<=l:c.seq!==l+1)throw new S(`the log has a gap: event ${c.seq} came after ${l}`);u=!1,l=c.seq,yield{event:c,at:{epoch:i,seq:l},line:p.text}}if(a.end()!==void 0||
l<r&&t.view!=="settled")throw new x(n.where,!0,new Error(`the log ended with event ${l} of ${r}`))}finally{s.close()}}function gs(n){if(n instanceof pe)throw new S(
`the daemon's log: ${n.message}`,{cause:n});let e=tt(n.text);if(!ge(e))return e;let{problem:t="",hint:s}=e;throw new W({type:"about:blank",code:"damaged",status:200,
title:"The log is damaged",detail:`The log ends early: ${t}.`,hint:s})}function tt(n){try{return Tt(n)}catch(e){throw e instanceof j?new S(`the daemon's log: ${e.
message}`,{cause:e}):e}}async function*Vt(n,e,t){let s=new nt(n,e,t);for(;;)try{yield*s.connection();return}catch(r){if(t.signal?.throwIfAborted(),!s.hasJoined||!Ce(r))throw r;let i=s.
lost();yield{type:"lost",error:r,waitMs:i,awayMs:s.awayMs},await Oe(n.clock,i,t.signal),s.awayMs+=i}}var nt=class{hasJoined=!1;awayMs=0;#e;#t;#o;#n;#s=0;#i=0;constructor(e,t,s){
this.#e=e,this.#t=t,this.#o=s.signal,this.#n=s.since??{epoch:1,seq:0}}lost(){return this.#s++,ae(this.#s,this.#i,this.#e.clock.random())}async*connection(){let e={
Accept:"text/event-stream"};this.#n.seq>0&&(e["Last-Event-ID"]=_(this.#n));let t=await J.begin(this.#e,{method:"GET",path:`${this.#t}/stream`,headers:e},this.#o);
try{if(this.hasJoined=!0,t.response.status===204)return;let s=new ve,r=this.#e.clock.now();for(let i=await t.next();i!==void 0;i=await t.next()){let a=s.push(i);
this.#i=s.retry??0;for(let l of a){this.awayMs=0,this.#e.clock.now()-r>=zt&&(this.#s=0);let u=this.#r(l);u!==void 0&&(yield u)}}}finally{t.close()}throw new x(this.#e.
where,!0,new Error("the daemon ended the connection"))}#r(e){if(e instanceof me)throw new S(`the daemon's stream: ${e.message}`,{cause:e});let t=tt(e.data);if(ge(
t))return t.type==="reset"&&(this.#n={epoch:t.epoch,seq:Math.max(t.oldest,1)-1}),t.type==="heartbeat"?void 0:t;let s=fe(e.id);if(s.epoch===this.#n.epoch&&t.seq<=
this.#n.seq)throw new S(`the log has a gap: event ${t.seq} came again`);if(this.#n.seq>0&&t.seq!==this.#n.seq+1)throw new S(`the log has a gap: event ${t.seq} c\
ame after ${this.#n.seq}`);return this.#n=s,this.#s=0,{type:"line",event:t,at:s,line:e.data}}};var qe=class{id;#e;constructor(e,t){this.#e=e,this.id=t}show(e={}){return this.#s("GET","",void 0,e)}change(e,t={}){let s={"Content-Type":"application/merge-pat\
ch+json"};return O(this.#e,{method:"PATCH",path:this.#t(),body:e,headers:s},t)}end(e={}){return this.#n("POST","/end",e.reason===void 0?void 0:{reason:e.reason},
e)}remove(e={}){return this.#n("DELETE","",void 0,e)}interrupt(e={}){return this.#n("POST","/interrupt",this.#e.name===void 0?void 0:{clientId:this.#e.name},e)}async state(e={}){
let t=e.at!==void 0&&e.at.seq>0?_(e.at):void 0,s=await this.#e.text({method:"GET",path:this.#t("/state"),query:{at:t}},e.signal);try{return ye(s)}catch(r){throw r instanceof
j?new S(`the daemon's state: ${r.message}`,{cause:r}):r}}log(e={}){return Qt(this.#e,this.#t(),e)}async openLog(e={}){let t=await this.#e.do(Ze(this.#t(),e),e.signal),
s=t.headers.get("X-Session-Damage");return{...et(t),...s===null?{}:{damage:s},body:t.body??new Blob().stream()}}follow(e={}){return Vt(this.#e,this.#t(),e)}prompt(e,t={}){
return this.#n("POST","/prompts",{...this.#o(),...e},t)}async prompts(e={}){return(await this.#s("GET","/prompts",void 0,e)).prompts}move(e,t,s={}){return this.#n(
"POST",`/prompts/${ee(e)}/move`,t,s)}cancel(e,t={}){return this.#n("DELETE",`/prompts/${ee(e)}`,void 0,t)}async requests(e={}){return(await this.#s("GET","/requ\
ests",void 0,e)).requests}answer(e,t,s={}){return this.#n("POST",`/requests/${ee(e)}`,{...this.#o(),...t},s)}models(e={}){return this.#s("GET","/models",void 0,
e)}modes(e={}){return this.#s("GET","/modes",void 0,e)}budget(e={}){return this.#s("GET","/budget",void 0,e)}setBudget(e,t={}){return this.#n("PUT","/budget",e,
t)}setModel(e,t={}){return this.#n("POST","/model",e,t)}setMode(e,t={}){return this.#n("POST","/mode",e,t)}async raw(e={}){let t={from:e.from,to:e.to,dir:e.dir},
s=await J.begin(this.#e,{method:"GET",path:this.#t("/raw"),query:t},e.signal);return{first:Number(s.response.headers.get("X-Raw-First-Line")??1),lines:ys(s)}}entryText(e,t={}){
return this.#e.do({method:"GET",path:this.#t(`/entries/${ee(e)}/text`)},t.signal)}image(e,t={}){return this.#e.do({method:"GET",path:this.#t(`/images/${ee(e)}`)},
t.signal)}#t(e=""){return`/sessions/${ee(this.id)}${e}`}#o(){return this.#e.name===void 0?{}:{clientId:this.#e.name}}#n(e,t,s,r){return O(this.#e,{method:e,path:this.#t(
t),body:s},r)}#s(e,t,s,r){return this.#e.json({method:e,path:this.#t(t),body:s},r.signal)}};async function*ys(n){try{let e=new we(1/0);for(let t=await n.next();t!==
void 0;t=await n.next())for(let s of e.push(t)){if(s instanceof pe)throw new S(`the daemon's native lines: ${s.message}`,{cause:s});yield JSON.parse(s.text)}}finally{
n.close()}}function ee(n){if(/^\.{0,2}$/.test(n))throw new TypeError(`${JSON.stringify(n)} is no id`);return encodeURIComponent(n)}function ws(n){return{method:"POST",path:"/stream",body:n,headers:{Accept:"text/event-stream"}}}async function*Yt(n,e,t){let s=await J.begin(n,ws(e),t.signal);try{
let r=new st;for(let i=await s.next();i!==void 0;i=await s.next())for(let a of r.push(i))yield a.type==="event"?{...a,...ks(a.line)}:a;if(e.select!==void 0||e.roster===
!0)throw new x(n.where,!0,new Error("the daemon ended the connection"))}finally{s.close()}}var st=class{#e=new ve;#t="";get retryMs(){return this.#e.retry??0}push(e){
return this.#e.push(e).map(t=>{if(t instanceof me)throw new S(`the daemon's stream: ${t.message}`,{cause:t});let s=t.id!==this.#t;return this.#t=t.id,s?vs(t):bs(
t)})}};function vs(n){try{let{sessionId:e,cursor:t}=Et(n.id);return{type:"event",sessionId:e,at:t,line:n.data}}catch(e){throw new S(`the daemon's stream: ${String(
e)}`,{cause:e})}}function bs(n){try{let e=JSON.parse(n.data);if(typeof e=="object"&&e!==null&&"type"in e)return e}catch{}throw new S("the daemon's stream: a fra\
me is no signal")}function ks(n){try{return{event:he(n)}}catch(e){if(e instanceof j)return{};throw e}}var Ae=class{#e;constructor(e){this.#e=e}#t(e,t=""){return`/webhooks/${encodeURIComponent(e)}${t}`}create(e,t={}){return O(this.#e,{method:"POST",path:"/webhook\
s",body:e},t)}async list(e={}){return(await this.#e.json({method:"GET",path:"/webhooks"},e.signal)).webhooks}show(e,t={}){return this.#e.json({method:"GET",path:this.#t(
e)},t.signal)}change(e,t,s={}){return O(this.#e,{method:"PATCH",path:this.#t(e),body:t},s)}remove(e,t={}){return O(this.#e,{method:"DELETE",path:this.#t(e)},t)}rotate(e,t={},s={}){
return O(this.#e,{method:"POST",path:this.#t(e,"/secret"),body:t},s)}test(e,t={}){return O(this.#e,{method:"POST",path:this.#t(e,"/test")},t)}async deliveries(e,t="\
pending",s={}){return(await this.#e.json({method:"GET",path:this.#t(e,"/deliveries"),query:{state:t}},s.signal)).deliveries}send(e,t,s={}){return O(this.#e,{method:"\
POST",path:this.#t(e,`/deliveries/${encodeURIComponent(t)}/send`)},s)}async sendDead(e,t={}){return(await O(this.#e,{method:"POST",path:this.#t(e,"/dead/send")},
t)).sent}};var z=class{#e;constructor(e){this.#e=new Re(e)}get where(){return this.#e.where}get wire(){return this.#e}session(e){return new qe(this.#e,e)}create(e,t={}){let{
name:s}=this.#e,{prompt:r}=e,i=typeof r=="string"?{text:r}:r,a=i===void 0||s===void 0?e:{...e,prompt:{clientId:s,...i}};return O(this.#e,{method:"POST",path:"/s\
essions",body:a},t)}sessions({signal:e,...t}={}){return this.#e.json({method:"GET",path:"/sessions",query:t},e)}inbox({signal:e,...t}={}){return this.#e.json({method:"\
GET",path:"/requests",query:{state:"open",...t}},e)}wait(e,t={}){let s=(e.timeoutMs??6e4)+Qe;return this.#e.json({method:"POST",path:"/wait",body:e,patienceMs:s},
t.signal)}stream({sessions:e,...t},s={}){let r=e&&Object.fromEntries(Object.entries(e).map(([i,a])=>[i,typeof a=="string"?a:_(a)]));return Yt(this.#e,r===void 0?
t:{...t,sessions:r},s)}health(e={}){return this.#e.json({method:"GET",path:"/health"},e.signal)}ready(e={}){return this.#e.json({method:"GET",path:"/ready"},e.signal)}agents(e={}){
return this.#e.json({method:"GET",path:"/agents"},e.signal)}async nativeSessions(e,t={}){let s={cwd:e,agent:t.agent};return(await this.#e.json({method:"GET",path:"\
/native-sessions",query:s},t.signal)).sessions}async roots(e={}){return(await this.#e.json({method:"GET",path:"/roots"},e.signal)).roots}async addRoot(e,t={}){return(await O(
this.#e,{method:"POST",path:"/roots",body:{path:e}},t)).roots}collect(e,t={}){return O(this.#e,{method:"POST",path:"/gc",body:e},t)}reload(e={}){return O(this.#e,
{method:"POST",path:"/config/reload"},e)}metrics(e={}){return this.#e.do({method:"GET",path:"/metrics"},e.signal)}profile(e,t={}){return this.#e.do({method:"GET",
path:`/debug/pprof/${e}`},t.signal)}get webhooks(){return new Ae(this.#e)}async tokens(e={}){return(await this.#e.json({method:"GET",path:"/tokens"},e.signal)).
tokens}createToken(e,t={}){return O(this.#e,{method:"POST",path:"/tokens",body:e},t)}revokeToken(e,t={}){return O(this.#e,{method:"DELETE",path:`/tokens/${encodeURIComponent(
e)}`},t)}async ownerBudgets(e={}){return(await this.#e.json({method:"GET",path:"/budgets"},e.signal)).budgets}ownerBudget(e,t={}){return this.#e.json({method:"G\
ET",path:`/budgets/${encodeURIComponent(e)}`},t.signal)}setOwnerBudget(e,t,s={}){return O(this.#e,{method:"PUT",path:`/budgets/${encodeURIComponent(e)}`,body:t},
s)}removeOwnerBudget(e,t={}){return O(this.#e,{method:"DELETE",path:`/budgets/${encodeURIComponent(e)}`},t)}askLogin(e={}){return this.#e.json({method:"POST",path:"\
/logins"},e.signal)}login(e,t={}){return this.#e.json({method:"POST",path:"/login",body:e},t.signal)}endLogin(e={}){return O(this.#e,{method:"DELETE",path:"/log\
in"},e)}mcp({signal:e,...t}){return this.#e.request({...t,path:"/mcp"},e)}log(e,t={}){return this.session(e).log(t)}follow(e,t={}){return this.session(e).follow(
t)}prompt(e,t,s={}){return this.session(e).prompt(t,s)}};var Ss="ringmaster.drafts",ot="images";function xs(){return new Promise((n,e)=>{let t=indexedDB.open(Ss,1);t.onupgradeneeded=()=>t.result.createObjectStore(ot),
t.onsuccess=()=>n(t.result),t.onerror=()=>e(t.error??new Error("no database"))})}async function Zt(n,e){let t=await xs();try{return await new Promise((s,r)=>{let i=t.
transaction(ot,n),a=e(i.objectStore(ot));i.oncomplete=()=>s(a.result),i.onabort=()=>r(i.error??new Error("not stored"))})}finally{t.close()}}function rt(n,e){return Zt(
"readwrite",t=>e.length===0?t.delete(n):t.put([...e],n)).then(()=>!0,()=>!1)}function en(n){return Zt("readonly",e=>e.get(n)).then(e=>e??[],()=>[])}var H={count:8,bytes:10485760,body:41943040,pixels:52428800},tn="image/png,image/jpeg,image/gif,image/webp";function Ps(n){let e=(t,...s)=>s.every((r,i)=>n[t+i]===
r);return e(0,137,80,78,71,13,10,26,10)?"image/png":e(0,255,216,255)?"image/jpeg":e(0,71,73,70,56)?"image/gif":e(0,82,73,70,70)&&e(8,87,69,66,80)?"image/webp":void 0}
function Es(n,e,t){let s=e.name===""?"The image":`“${e.name}”`;if(t===void 0)return`${s} is no PNG, JPEG, GIF or WebP.`;if(n.length>=H.count)return`A prompt\
 takes ${H.count} images.`;if(e.size>H.bytes)return`${s} has ${Le(e.size)} MiB; one image may have ${Le(H.bytes)}.`;let r=n.reduce((i,a)=>i+a.blob.size,e.size);
return Math.ceil(r/3)*4>H.body-(1<<20)?`With ${s} the images have ${Le(r)} MiB; all of a prompt may have ${Le((H.body-(1<<20))/4*3)}.`:""}function Le(n){return(n/
(1<<20)).toFixed(n%(1<<20)===0?0:1)}function nn(n){return Promise.all(n.map(async e=>({file:e,type:Ps(new Uint8Array(await e.slice(0,16).arrayBuffer()))})))}function sn(n,e){
let t=[...n],s="";for(let{file:r,type:i}of e){let a=Es(t,r,i);a!==""||i===void 0?s||=a:t.push({name:r.name,type:i,blob:r.slice(0,r.size,i)})}return{pictures:t,why:s}}
function on(n){return new Promise((e,t)=>{let s=new FileReader;s.onload=()=>e(s.result.replace(/^[^,]*,/,"")),s.onerror=()=>t(s.error??new Error("the image cann\
ot be read")),s.readAsDataURL(n)})}var Ts=5e3,Ie=n=>`ringmaster.draft.${n}`,Me=()=>({text:"",pictures:[],key:le(),isSending:!1,isReading:!1,error:"",wasSent:!1}),$e=class{#e=new Map;constructor(){
addEventListener("storage",({key:e})=>{for(let[t,s]of this.#e)(e===null||e===Ie(t))&&!s.peek().isSending&&this.#o(t,s)})}gone(e){this.#t(e,this.of(e)),this.#e.delete(
e)}#t(e,t){(t.peek().isReading||t.peek().pictures.length>0)&&rt(e,[]),t.value=Me(),an(e,t.peek())}forget(){this.#e.clear()}of(e){let t=this.#e.get(e);return t===
void 0&&(this.#e.set(e,t=k(Me())),this.#o(e,t)),t}#o(e,t){let s=rn(e);t.value=s,s.isReading&&en(e).then(r=>{t.peek()===s&&(t.value={...s,pictures:r,isReading:!1,
...r.length===0?{key:le()}:{}})})}write(e,t){this.#n(e,{text:t})}async attach(e,t){let s=await nn(t),r=this.of(e).peek().pictures,{pictures:i,why:a}=sn(r,s);this.#n(
e,i.length===r.length?{}:{pictures:i},a)}detach(e,t,s=""){this.#n(e,{pictures:this.of(e).peek().pictures.filter(r=>r!==t)},s)}#n(e,t,s=""){let r=this.of(e),i=r.
peek();if(i.isSending||i.isReading)return;let a=t.text!==void 0&&t.text!==i.text||t.pictures!==void 0,l=i.wasSent&&a;r.value={...i,...t,key:l?le():i.key,wasSent:i.
wasSent&&!l,error:s},an(e,r.peek()),t.pictures!==void 0&&rt(e,t.pictures)}async send(e,t,s){let r=this.of(t),i=r.peek(),{text:a,key:l,pictures:u}=i;if(!(i.isSending||
i.isReading||a.trim()===""&&u.length===0)){r.value={...i,isSending:!0,wasSent:!0,error:""};try{let d=await Promise.all(u.map(async c=>({mediaType:c.type,data:await on(
c.blob)}))),{repeated:p}=await e.prompt(t,{...a===""?{}:{text:a},...d.length===0?{}:{images:d},...s===void 0?{}:{streamingBehavior:s}},{key:l});p?this.taken(t,l):
setTimeout(()=>this.taken(t,l),Ts)}catch(d){if(r.peek().key===l){let p=d instanceof x?"The daemon does not answer. The draft is kept here; sent again, it is one\
 prompt.":$(d);r.value={...r.peek(),isSending:!1,error:p}}}}}taken(e,t){let s=this.of(e);t===s.peek().key&&(rn(e).key===t?this.#t(e,s):this.#o(e,s))}};function le(){
return`page-${crypto.getRandomValues(new Uint32Array(4)).reduce((n,e)=>n+e.toString(16).padStart(8,"0"),"")}`}function rn(n){try{let{text:e,key:t,pictures:s}=JSON.
parse(localStorage.getItem(Ie(n))??"{}");if(typeof e=="string"&&typeof t=="string")return{...Me(),text:e,key:t,isReading:typeof s=="number"&&s>0,wasSent:!0}}catch{}
return Me()}function an(n,{text:e,key:t,pictures:s}){try{e===""&&s.length===0?localStorage.removeItem(Ie(n)):localStorage.setItem(Ie(n),JSON.stringify({text:e,key:t,
...s.length===0?{}:{pictures:s.length}}))}catch{}}function ln(n,e){return n.seq===0||e.seq===0?n.seq<e.seq:n.epoch<e.epoch||n.epoch===e.epoch&&n.seq<e.seq}var Os=400,Fe=class{requests=k([]);sending=k(new Map);failed=k(new Map);isRead=k(!1);total=k(0);#e;#t=new AbortController;#o=new Map;#n="rest";constructor(e){this.#e=
e}has(e){return this.requests.peek().some(t=>t.sessionId===e)}look(){this.#n==="rest"?this.#s():this.#n="again"}async#s(){do{this.#n="reading";try{let{requests:e,
total:t}=await this.#e.inbox({signal:this.#t.signal,limit:200});this.requests.value=e,this.total.value=t,this.isRead.value=!0,this.#i(new Set(e.map(N)))}catch{break}}while(this.#n===
"again");this.#n="rest"}#i(e){for(let t of[this.sending,this.failed]){let s=[...t.peek()].filter(([r])=>e.has(r));s.length<t.peek().size&&(t.value=new Map(s))}for(let t of this.#o.
keys())e.has(t)||this.#o.delete(t)}async answer(e,t,s,r){let i=`${e}/${t}`;if(!this.sending.peek().has(i)){this.sending.value=new Map(this.sending.peek()).set(i,
r),this.#r(i,void 0);try{await this.#e.session(e).answer(t,s,{signal:this.#t.signal})}catch(a){let l=new Map(this.sending.peek());l.delete(i),this.sending.value=
l,this.#r(i,$(a))}this.look()}}#r(e,t){let s=new Map(this.failed.peek());(t===void 0?s.delete(e):s.set(e,t))&&(this.failed.value=s)}call(e){if(e.request.diff!==
void 0)return Promise.resolve(void 0);let t=N(e),s=this.#o.get(t);if(s===void 0){let r=this.#l(e).catch(()=>{this.#o.delete(t)});this.#o.set(t,s=r)}return s}async#l(e){
let t=fe(e.cursor),s=new Ot;for await(let{event:r}of this.#e.log(e.sessionId,{since:{epoch:t.epoch,seq:Math.max(0,t.seq-Os)},signal:this.#t.signal}))if(s.apply(
r),r.seq>=t.seq)break;return s.entry(e.request.entryId??"")}close(){this.#t.abort()}};function N(n){return`${n.sessionId}/${n.request.requestId}`}var We="ringmaster-";var it="ringmaster.budget",at=512<<20;async function dn(n){if(globalThis.crypto?.subtle===void 0)return"";let e=await crypto.subtle.digest("SHA-256",new TextEncoder().
encode(`ringmaster principal ${n}`));return[...new Uint8Array(e).subarray(0,16)].map(t=>t.toString(16).padStart(2,"0")).join("")}var un={createScriptURL:n=>{if(n!=="/sw.js"&&!/^\/assets\/[0-9a-f]{16}-worker\.js$/.test(n))throw new TypeError("this is no worker of this page");return n}},Cs=globalThis.
trustedTypes,Ne=Cs?.createPolicy("ringmaster",un)??un;var Rs=3e3,De=class{#e;#t=!1;#o=()=>{};constructor(e,t,s){let r=document.body.dataset.worker??"";try{this.#e=new Worker(Ne.createScriptURL(r))}catch{queueMicrotask(
s);return}this.#e.onerror=()=>s(),this.#e.onmessage=({data:i})=>{if(i==="closed"){this.#o();return}if(!this.#t)try{i.told.forEach(t)}finally{this.ask({type:"tak\
en",n:i.n})}},dn(e).then(i=>this.#n({type:"begin",token:e,principal:i,build:r,budget:lt()}))}ask(e){this.#t||this.#n(e)}async close(){if(this.#t=!0,this.#e===void 0)
return;let e=new Promise(s=>setTimeout(s,Rs)),t=new Promise(s=>this.#o=s);this.#n({type:"close"}),await Promise.race([t,e]),this.#e.terminate()}#n(e){this.#e?.postMessage(
e)}};function lt(){try{let n=Number(localStorage.getItem(it));return Number.isSafeInteger(n)&&n>0?n:at}catch{return at}}function cn(n){try{localStorage.setItem(
it,String(n))}catch{}}var Ke=class{#e;#t=new Map;#o=0;constructor(e){this.#e=e}put(e,t,s=()=>{}){let r=++this.#o;return this.#t.set(r,{put:e,take:t,begin:s}),s(),this.#e({...e,n:r}),
()=>{this.#t.delete(r)&&this.#e({type:"drop",n:r})}}take(e){let t=this.#t.get(e.n);(e.type==="past"||e.progress.stage!=="goes on")&&this.#t.delete(e.n),t?.take(
e)}again(){for(let[e,{put:t,begin:s}]of this.#t)s(),this.#e({...t,n:e})}};var qs=4,As=100,Ls=200,Be=class{client;link=k("connecting");role=k("waits");keeps=k("memory");listAsOf=k(0);sessions=k(new Map);isListed=k(!1);agents=k(new Map);inbox;onGone=()=>{};questions=new Ke(
e=>this.#e.ask(e));#e;#t=new Map;#o=new WeakSet;#n=!1;#s=new Map;#i;#r=()=>this.#e.ask({type:"wake"});#l=ze(()=>setTimeout(()=>this.#a(),Ls));#d=ze(()=>this.sessions.
value=new Map(this.#t));constructor(e,t,s){this.#i=s,this.client=new z({base:location.origin,token:e,name:t}),this.inbox=new Fe(this.client),this.#e=new De(e,r=>this.#c(
r),()=>s("This page cannot start its worker. Load it again to go on.",!1)),this.#u(),addEventListener("online",this.#r),addEventListener("pageshow",this.#r),document.
addEventListener("visibilitychange",this.#r)}#u(){this.client.agents().then(({agents:e})=>{this.agents.value=new Map(e.map(t=>[t.name,t]))},()=>{})}follow(e){let t=this.#s.
get(e),s=t??new qt(e,this.#t.get(e)?.seq??1);this.#s.delete(e),this.#s.set(e,s);let r=[...this.#s.keys()].slice(0,-qs);return r.forEach(i=>this.#s.delete(i)),(t===
void 0||r.length>0)&&this.#a(),s}show(e){for(let t of e){let s=this.#s.get(t);s!==void 0&&(this.#s.delete(t),this.#s.set(t,s))}}async close(){removeEventListener(
"online",this.#r),removeEventListener("pageshow",this.#r),document.removeEventListener("visibilitychange",this.#r),this.inbox.close(),await this.#e.close()}#a(e){
let t=[...this.#s.values()].filter(s=>s!==e);this.#e.ask({type:"want",at:Object.fromEntries(t.map(s=>[s.id,s.at??null]))})}#c(e){switch(e.type){case"source":return this.
role.value=e.role,this.#a(),this.questions.again();case"found":case"past":return this.questions.take(e);case"keeps":this.keeps.value=e.keeps;return;case"link":return this.#h(
e.link,e.since);case"refused":return this.link.value="away",this.#i(e.isOver?"This login is over.":`${e.why} Load this page again to go on.`,e.isOver);case"rost\
er":return this.#g(e.sessions,e.asOf);case"session":return this.#y(e.session);case"gone":return this.#t.delete(e.id),this.#d(),this.onGone(e.id),this.inbox.look();default:{
let t=this.#s.get(e.id);return t===void 0?void 0:this.#p(t,e)}}}#p(e,t){switch(t.type){case"state":return this.#m(e,t.at,t.state);case"lines":e.take(t.epoch,t.from,
t.lines.map(Is))||(this.#a(e),this.#a());return;case"reset":(e.at===void 0||!ln(t.at,e.at))&&(e.reset(),this.#o.add(e));return;case"ask":setTimeout(()=>{this.#f(
e)},this.#o.delete(e)?As:0);return;case"none":if(e.at!==void 0)return;e.trouble.value="The daemon does not answer, and this browser has kept nothing of this ses\
sion.",e.isWhole.value=!0;return;case"notice":e.trouble.value=Ms[t.notice]??e.trouble.value,e.isWhole.value||=t.notice==="damaged"}}#m(e,t,s){e.isBefore(t)&&(e.
begin(ye(s),t,this.link.peek()==="away"),this.#l())}async#f(e){if(e.isAsking||this.isListed.peek()&&!this.#t.has(e.id))return;e.isAsking=!0;let t=await this.client.
session(e.id).state().catch(s=>s instanceof Error&&s.name==="Unreachable"?"away":void 0);if(e.isAsking=!1,!(this.#s.get(e.id)!==e||t==="away")){if(t===void 0||t.
damage!==void 0)e.at??={epoch:1,seq:0};else if(e.isBefore(t))return e.begin(t,{epoch:t.epoch,seq:t.seq},!0),this.#l();this.#a()}}#h(e,t=Date.now()){this.link.value=
e,this.#n&&(e==="live"||e==="away"&&this.listAsOf.peek()===0)&&(this.listAsOf.value=e==="live"?0:t),e==="live"&&(this.inbox.look(),this.agents.peek().size===0&&
this.#u(),[...this.#s.values()].some(s=>s.at===void 0)&&this.#a())}#g(e,t){if(t!==void 0&&this.#n)return;this.#n=t===void 0;let s=[...this.#t.keys()];this.#t=new Map(
e.map(r=>[r.id,r])),xt(()=>{this.listAsOf.value=t??0,this.isListed.value=!0,this.sessions.value=new Map(this.#t)}),t===void 0&&(s.filter(r=>!this.#t.has(r)).forEach(
r=>this.onGone(r)),Lt(new Set(this.#t.keys())),this.inbox.look())}#y(e){let t=this.#t.get(e.id);this.#t.set(e.id,e),this.#d(),this.isListed.peek()&&(pn(e)||t!==
void 0&&pn(t)||this.inbox.has(e.id))&&this.inbox.look()}};function pn(n){return n.status.state==="awaiting_approval"||n.status.state==="awaiting_input"}function Is(n){
try{return he(n)}catch(e){if(e instanceof j)return;throw e}}var Ms={unavailable:"The daemon cannot give this log now; it is asked again.",damaged:"This log is d\
amaged on the daemon’s disk: what you see ends early.",uncached:"This browser has no room for this session: offline it is not there."};var Je="ringmaster.login",L=k(dt());function C(){return L.value?.scope.endsWith(":ro")!==!0}function de(n){L.value=n;try{n===null?localStorage.removeItem(Je):localStorage.
setItem(Je,JSON.stringify(n))}catch{}}function dt(){try{let n=JSON.parse(localStorage.getItem(Je)??"null");return typeof n?.token=="string"?n:null}catch{return null}}
function mn(n){let e=dt();e!==null&&e.token!==n?L.value=e:de(null)}addEventListener("storage",n=>{n.key===Je&&(L.value=dt())});var ut="ringmaster",$s=60,Fs=100;async function te(){for(let n=1;;n++){if(await Ws())return!0;if(n===$s)return!1;await new Promise(e=>setTimeout(e,Fs))}}async function Ws(){
let n;try{n=await navigator.storage.getDirectory()}catch{return!0}let e=!0;try{let t=[];for await(let{name:s}of n.values())t.push(s);for(let s of t.filter(r=>r.
startsWith(We)))await n.removeEntry(s,{recursive:!0})}catch{e=!1}return e}async function fn(){try{for(let t of[localStorage,sessionStorage])for(let s of Object.
keys(t).filter(r=>r.startsWith(ut)))t.removeItem(s)}catch{}let n=await te(),e=await Promise.allSettled([Ns(),Ds()]);return n&&e.every(({status:t})=>t==="fulfill\
ed")?"":"Something is left: another tab of this page still uses it. Close the other tabs and load this one again."}async function Ns(){let n=await globalThis.indexedDB?.
databases?.()??[];for(let{name:e}of n.filter(t=>t.name?.startsWith(ut)))await new Promise((t,s)=>{let r=indexedDB.deleteDatabase(e);r.onsuccess=()=>t(),r.onerror=
r.onblocked=()=>s(new Error("in use"))})}async function Ds(){for(let n of await navigator.serviceWorker?.getRegistrations()??[])await n.unregister();for(let n of await globalThis.
caches?.keys()??[])n.startsWith(ut)&&await caches.delete(n)}var Ks=[["Edg","Edge"],["OPR/","Opera"],["Firefox/","Firefox"],["Chrome/","Chrome"],["Safari/","Safari"]],Bs=[["Android","Android"],["iPhone","iPhone"],["iPad",
"iPad"],["Mac OS","macOS"],["Windows","Windows"],["Linux","Linux"]];function hn(n){let e=Ks.find(([s])=>n.includes(s))?.[1]??"A browser",t=Bs.find(([s])=>n.includes(
s))?.[1];return t===void 0?e:`${e} on ${t}`}var Js=()=>new z({base:location.origin}),ct=n=>new z({base:location.origin,token:n});async function Ue(){let n=L.peek();try{de(await Js().login({code:Te(),name:hn(
navigator.userAgent)}))}catch(e){return $(e)}return n!==null&&await ct(n.token).endLogin().catch(()=>{}),""}async function pt(){let n=L.peek()?.token;if(de(null),
n===void 0)return"";te();try{await ct(n).endLogin()}catch(e){if(!(e instanceof W&&e.status===401))return`This browser has forgotten its login, and the daemon ha\
s not: ${$(e)}`}return"You are logged out."}async function gn(){let n=await pt(),e=await fn();return e!==""?e:n==="You are logged out."?"This browser has forgot\
ten everything.":n}async function yn(n){try{await ct(n).sessions({limit:1})}catch(e){return e instanceof W&&e.status===401?"The daemon does not know this token.\
 It may have expired, or been revoked.":$(e)}return de({token:n,id:"",name:"a pasted token",scope:""}),""}function wn(){navigator.serviceWorker?.register(Ne.createScriptURL("/sw.js"),{updateViaCache:"none"}).catch(()=>{})}function vn(n,e){let t=[];for(let s of e){let r=n.get(s.id);if(r===void 0||s.subAgent===!0)continue;let i=s.lastTurn;if(s.status.state==="failed"&&r.state!=="fa\
iled")t.push({tag:`end/${s.id}`,session:s.id,words:"The session has failed."});else if(i!==void 0&&i.turnId!==r.turnId&&i.cause!=="user"){let a=i.status==="erro\
r"||i.cause==="lost";t.push({tag:`turn/${s.id}/${i.turnId}`,session:s.id,words:a?"A turn has failed.":i.status==="interrupted"?"A turn was interrupted.":"A turn\
 has ended."})}}return t}function bn(n){return new Map([...n].map(e=>[e.id,{turnId:e.lastTurn?.turnId,state:e.status.state}]))}var kn="ringmaster.notices",Q=k(Sn());function Sn(){if(!("Notification"in globalThis)||Notification.permission==="denied")return"unable";try{return Notification.
permission==="granted"&&localStorage.getItem(kn)==="yes"?"on":"off"}catch{return"off"}}async function xn(){let n=Q.peek()==="off";n&&Notification.permission!=="\
granted"&&await Notification.requestPermission();try{localStorage.setItem(kn,n?"yes":"no")}catch{}let e=Sn();Q.value=e==="unable"?e:n&&Notification.permission===
"granted"?"on":"off"}function Us(n,e){try{return new Notification(n,e)}catch{Q.value="unable";return}}function Pn(n){let e,t,s=(i,a,l,u)=>{if(Q.peek()!=="on"||document.
visibilityState==="visible"&&document.hasFocus())return;let d=n.sessions.peek().get(i),p=Us(m(q(d??{})).slice(0,80),{body:[l,d?.agent??""].filter(c=>c!=="").map(
m).join(" "),tag:a,icon:document.querySelector("link[rel=icon]")?.href??""});p!==void 0&&(p.onclick=()=>{window.focus(),R(u?{view:"inbox"}:{view:"session",id:i}),
p.close()})},r=[_e(()=>{let i=[...n.sessions.value.values()];if(!(!n.isListed.value||e===void 0&&n.listAsOf.value!==0)){for(let a of e===void 0?[]:vn(e,i))s(a.session,
a.tag,a.words,!1);e=bn(i)}}),_e(()=>{let i=n.inbox.requests.value;if(n.inbox.isRead.value){for(let a of t===void 0?[]:i.filter(l=>!t.has(N(l))))s(a.sessionId,`r\
equest/${N(a)}`,a.request.kind==="approval"?`It asks for an approval (${a.request.toolKind??"a tool"}).`:"It asks a question.",!0);t=new Set(i.map(N))}})];return()=>r.
forEach(i=>i())}async function En(){let n={sessions:0,bytes:0},e=async(t,s)=>{for await(let r of t.values())r.kind==="file"?(n.bytes+=(await r.getFile()).size,n.sessions+=r.name.
endsWith(".index")?1:0):(s>0||r.name.startsWith(We))&&await e(r,s+1)};try{await e(await navigator.storage.getDirectory(),0)}catch{}return n}var Gs=[64,128,256,512,1024,2048].map(n=>n<<20),Xs={waits:"This tab looks for the others.",leads:"This tab reads the daemon’s one stream, for itself and for you\
r other tabs.",follows:"Another tab reads the daemon’s one stream, for this one too.",alone:"This tab has a stream of its own: the others do not answer, or th\
is browser cannot share one."};function On({close:n,forget:e}){let{keeps:t,role:s}=T(),r=f({sessions:0,bytes:-1}),i=E(null),a=f(!1),l=f(!1),u=f(lt());v(()=>{i.current?.
showModal(),En().then(c=>{r.value=c})},[]);let{sessions:d,bytes:p}=r.value;return o("dialog",{ref:i,class:"new",id:"browser","aria-labelledby":"browser-title",onClose:n,
children:[o("h2",{id:"browser-title",children:"This browser"}),o("form",{method:"dialog",children:[t.value==="disk"?o("p",{children:["It keeps what was read, so\
 that it opens at once and without the daemon: now ",o("strong",{id:"kept-size",children:p<0?"…":Tn(p)})," of ",d===1?"1 session":`${d} sessions`,". What was \
not read for longest goes first."]}):o("p",{id:"keeps-nothing",children:"It keeps nothing here: it has no file system for this page, or another tab holds it. Wh\
at was read goes when the page is closed."}),s.value==="alone"||t.value==="disk"?o("p",{class:"note",children:Xs[s.value]}):null,o("label",{children:["At most",
o("select",{id:"budget",value:String(u.value),onChange:c=>{u.value=Number(c.currentTarget.value),cn(u.value)},children:[...new Set([...Gs,u.value])].sort((c,y)=>c-
y).map(c=>o("option",{value:String(c),children:Tn(c)},c))})]}),o("p",{class:"note",children:"Another limit counts when all tabs of this page have been loaded ag\
ain."}),a.value?o("div",{class:"request-row",children:o("button",{type:"button",class:"stop",id:"forget-yes",disabled:l.value,onClick:()=>{l.value=!0,e()},children:l.
value?"Forgetting…":"Forget everything and log out"})}):o("div",{class:"request-row",children:o("button",{type:"button",id:"forget",onClick:()=>{a.value=!0},children:"\
Forget this browser…"})}),o("p",{class:"note",children:"That takes away the login, what was read, drafts and what was seen, in all tabs. The sessions themselv\
es stay with the daemon."}),o("button",{class:"primary",children:"Close"})]})]})}function Tn(n){return n>=1<<30?`${n/(1<<30)} GiB`:n>=1<<20?`${Math.round(n/(1<<
20))} MiB`:n>=1024?`${Math.round(n/1024)} KiB`:`${n} bytes`}function ue(){let n=document.querySelector(".pane.focused");(n?.querySelector(".log")??n)?.focus({preventScroll:!0})}var U=()=>M.value.view==="session",Cn=()=>U()&&C(),mt=()=>M.value.view==="session"&&M.value.beside!==void 0,ne=n=>()=>{let e=M.peek();if(e.view==="session"){let{
entry:t,at:s,...r}=e;R({...r,part:n})}},Ge=[{keys:".",words:"everything that can be done or gone to",does:({palette:n})=>n("all")},{keys:"a",words:"the next req\
uest that needs you",does:({feed:n})=>_s(n),command:"Next request that needs you",when:({feed:n})=>n.inbox.total.value>0},{keys:"y",words:"allow once: the reque\
st that has the focus"},{keys:"n",words:"deny: the request that has the focus"},{keys:"j k",words:"down and up, in the list or among requests"},{keys:"enter",words:"\
open what has the focus"},{keys:"p",words:"write to the session that is shown",does:()=>ce("[data-composer]")?.focus(),command:"Write to this session",when:Cn},
{keys:"f",words:"find in what was said there",does:()=>ce(".find-open")?.click(),command:"Find in this session",when:U},{keys:"shift f",words:"search what was s\
aid in all sessions that this browser keeps",does:({palette:n})=>n("said"),command:"Search what was said in all sessions"},{keys:"s",words:"its settings: name, \
model, approvals, end",does:()=>ce(".head .settings")?.click(),command:"Settings of this session: name, model, approvals, end, delete",when:Cn},{keys:"b",words:"\
another session beside it",does:({palette:n})=>{U()&&n("beside")},command:"Show another session beside this one",when:U},{keys:"h l",words:"the session to the l\
eft and to the right, where several are shown"},{keys:"q",words:"close the one that has the keys",does:()=>{let n=M.peek();mt()&&n.view==="session"&&(R(Pe(n,V(n))),
requestAnimationFrame(ue))},command:"Close this pane",when:mt},{keys:"shift x",words:"interrupt the session that is shown",does:()=>ce(".head .stop")?.click(),command:"\
Interrupt this session",when:()=>U()&&ce(".head .stop")!==void 0},{keys:"c",words:"begin a session",does:({begin:n})=>n(),command:"New session",when:C},{keys:"/",
words:"filter the list; enter there searches what was said",command:"Filter the list of sessions",does:({filter:n})=>{n()?.offsetParent===null&&R({view:"home"}),
requestAnimationFrame(()=>n()?.focus())}},{keys:"g i",words:"everything that is asked",does:()=>R({view:"inbox"}),command:"Inbox: everything that is asked"},{keys:"\
g r",words:"the list of sessions",does:()=>R({view:"home"}),command:"List of sessions"},{keys:"g s",words:"what was said",does:ne("talk"),command:"Transcript of\
 this session",when:U},{keys:"g d",words:"changes of files",does:ne("changes"),command:"Changes: diffs by file",when:U},{keys:"g t",words:"the session as it was",
does:ne("time"),command:"Time: the session as it was",when:U},{keys:"g u",words:"tokens and cost",does:ne("usage"),command:"Usage: tokens and cost",when:U},{keys:"\
g n",words:"native lines",does:ne("raw"),command:"Raw: native lines and events",when:U},{keys:"esc",words:"back",does:()=>{let n=M.peek();n.view==="session"&&n.
part!==void 0?ne("talk")():n.view!=="home"&&R({view:"home"})}},{keys:"?",words:"these keys",does:({help:n})=>n(!0),command:"Keys"},{keys:"",words:"",does:()=>{let n=M.
peek();if(n.view==="session"){let{beside:e,pane:t,...s}=n;R(s)}},command:"Show this session alone",when:mt}],An=Ge.filter(n=>n.keys!=="").map(n=>[n.keys,n.words]);
function Ln(n){return Ge.filter(e=>e.command!==void 0&&e.does!==void 0&&(e.when?.(n)??!0)).map(e=>({id:e.command,name:e.command,note:e.keys,does:()=>requestAnimationFrame(
()=>e.does(n))}))}var Hs={esc:"Escape","shift x":"X","shift f":"F"},In=new Map(Ge.filter(n=>n.does!==void 0&&n.keys!==""&&!n.keys.startsWith("g ")).map(n=>[Hs[n.
keys]??n.keys,n.does])),js=new Map(Ge.filter(n=>n.keys.startsWith("g ")).map(n=>[n.keys.slice(2),n.does]));In.set("j",()=>qn(1)).set("k",()=>qn(-1)).set("h",()=>Rn(
-1)).set("l",()=>Rn(1));function Mn(n){let e=!1;return t=>{if(t.defaultPrevented||t.metaKey||t.ctrlKey||t.altKey||t.target instanceof Element&&t.target.closest(
"input, textarea, select, [contenteditable]")!==null)return;let s=e;if(e=t.key==="g",n.isOpen()||document.querySelector("dialog[open]")!==null)return;let r=(s?js:
In).get(t.key);r!==void 0&&(t.preventDefault(),r(n))}}function ce(n){return document.querySelector(".pane.focused, .main > .session")?.querySelector(n)??void 0}
function Rn(n){let e=M.peek(),t=e.view==="session"?xe(e)[V(e)+n]:void 0;t!==void 0&&(R(t,!0),requestAnimationFrame(()=>setTimeout(ue)))}function qn(n){let e=document.
querySelector(".pane.focused")??document.querySelector(".main"),t=e?.contains(document.activeElement)===!0,s=[...e?.querySelectorAll("[data-request]")??[]],r=[...document.
querySelectorAll("[data-row]")].filter(u=>u.offsetParent!==null),i=t&&s.length>0||r.length===0?s:r,a=i.findIndex(u=>u.contains(document.activeElement)),l=a<0?n>
0?0:i.length-1:Math.min(i.length-1,Math.max(0,a+n));$n(i[l])}function _s(n){let e=n.inbox.requests.peek().map(N);if(e.length===0)return;let t=document.activeElement?.
closest("[data-request]")?.dataset.request,s=e[(e.indexOf(t??"")+1)%e.length];M.value.view==="session"?R({view:"inbox"}):(document.querySelector(ft(s))===null||
document.querySelector(ft(s)).offsetParent===null)&&R({view:"inbox"}),requestAnimationFrame(()=>setTimeout(()=>$n(document.querySelector(ft(s)))))}function ft(n){
return`[data-request="${CSS.escape(n)}"]`}function $n(n){n?.focus(),n?.scrollIntoView({block:"nearest"})}function Fn({close:n}){let e=E(null);return v(()=>e.current?.showModal(),[]),o("dialog",{ref:e,class:"help","aria-labelledby":"help-title",onClose:n,children:[o(
"h2",{id:"help-title",children:"Keys"}),o("dl",{children:An.map(([t,s])=>o("div",{children:[o("dt",{children:t.split(" ").map(r=>o("kbd",{children:r},r))}),o("d\
d",{children:s})]},t))}),o("form",{method:"dialog",children:o("button",{class:"primary",children:"Close"})})]})}var G=k(Date.now());setInterval(()=>{document.visibilityState==="visible"&&(G.value=Date.now())},1e3);document.addEventListener("visibilitychange",()=>G.value=Date.
now());var X={allow_once:{words:"Allow once",key:"y",class:"primary"},allow_always:{words:"Always allow",class:""},deny:{words:"Deny",key:"n",class:""},deny_stop:{words:"\
Deny and stop",class:"danger"}};function Wn(n,e){return n==="allow_once"&&e===""||n==="deny"||n==="deny_stop"}function Nn(n){return[...Object.keys(X).filter(e=>n.
some(t=>t.id===e)),...n.map(e=>e.id).filter(e=>!(e in X))]}function Dn(n,e){return Object.entries(X).find(([t,s])=>s.key===n&&e.some(r=>r.id===t))?.[0]}function Kn(n,e){
return!e&&!n.metaKey&&!n.ctrlKey&&!n.altKey&&!n.repeat&&(n.key==="y"||n.key==="n")}var zs={ask:"asks about everything",allow_reads:"allows what only reads",allow_all:"allows everything",deny_all:"denies everything"};function Bn(n,e){if(n.kind===
"question"||n.kind==="elicitation")return"The agent asks; no policy answers questions.";if(n.kind!=="approval")return"";if(n.guarded===!0)return"It reaches into\
 the daemon’s own folder, which no policy answers.";let t=e?.rules?.length??0;if(e===void 0||t===0&&e.mode===void 0)return"This session has no policy, so ever\
y approval is asked.";let s=e.mode===void 0?"":`The policy ${zs[e.mode]??e.mode}`,r=t===0?"":`none of its ${t===1?"rules, one in all,":`${t} rules`} answers thi\
s`;return[s||"The policy has no mode",r].filter(i=>i!=="").join("; ")+(s===""||e.mode==="ask"?".":", and this is not covered.")}function Jn(n,e){if(n.deadline===
void 0)return"";let t=Math.max(0,Math.ceil((n.deadline-e)/1e3)),s=t>=3600?`${Math.floor(t/3600)} h ${Math.floor(t%3600/60)} min`:`${Math.floor(t/60)}:${String(t%
60).padStart(2,"0")}`,r={allow:"allowed",deny:"denied",deny_stop:"denied, and the turn stopped"};return n.default===void 0?`The agent goes on without an answer \
in ${s}.`:`It is ${r[n.default]??n.default} in ${s}.`}function Un({request:n,unseen:e,pressed:t,answer:s}){let r=f(""),i=f(""),a=f(!1),l=n.options??[],u=c=>{let y=i.peek().trim();s({option:c,...y===""?{}:{message:y}},
X[c]?.words??c)},d=c=>{Wn(c,e)?u(c):r.value=c};K(()=>{let c=t.value;if(c==="")return;t.value="";let y=Dn(c,l);y!==void 0&&d(y)});let p=E(null);if(v(()=>{r.peek()===
"allow_once"&&(p.current?.closest("article")?.focus(),r.value="")},[e]),r.value!==""){let c=l.find(w=>w.id===r.value),y=r.value==="allow_once";return o("div",{class:"\
answers",role:"group","aria-label":y?"Allow what is not shown whole?":"Allow for always?",ref:p,children:[o("p",{class:"twice",children:y?e:m(c?.description??"T\
he agent will not ask again for the like of this.")}),o("button",{type:"button",class:"danger",onClick:()=>u(r.value),children:["Yes, ",m((X[r.value]?.words??c?.
label??r.value).toLowerCase())]}),o("button",{type:"button",ref:w=>w?.focus(),onClick:()=>{r.value=""},children:"Not yet"})]})}return o(P,{children:[a.value?o("\
label",{class:"message",children:["Message to the agent, with your answer",o("textarea",{rows:2,dir:"auto",ref:c=>{c!==null&&i.peek()===""&&c.focus()},value:i.value,
onInput:c=>{i.value=c.currentTarget.value}})]}):null,o("div",{class:"answers",role:"group","aria-label":"Answers",children:[Nn(l).map(c=>o("button",{type:"butto\
n",class:X[c]?.class??"",title:l.find(y=>y.id===c)?.description,onClick:()=>d(c),children:[X[c]?.words??m(l.find(y=>y.id===c)?.label??c),X[c]?.key===void 0?null:
o("kbd",{"aria-hidden":"true",children:X[c].key})]},c)),a.value?null:o("button",{type:"button",class:"quiet",onClick:()=>{a.value=!0},children:"Message…"})]})]})}function Gn({request:n,answer:e}){let t=n.questions??[],s=f(t.map(()=>[])),r=f(t.map(d=>d.prefill??"")),i=t.map((d,p)=>[...s.value[p],...ht(d)&&r.value[p].trim()!==
""?[r.value[p]]:[]]),a=i.every(d=>d.length>0),l=(d,p,c)=>{let y=s.peek()[d],w=c?y.includes(p)?y.filter(b=>b!==p):[...y,p]:[p];s.value=s.peek().map((b,A)=>A===d?
w:b),!c&&ht(t[d])&&(r.value=r.peek().map((b,A)=>A===d?"":b))},u=(d,p)=>{r.value=r.peek().map((c,y)=>y===d?p:c),t[d].multiple!==!0&&p!==""&&(s.value=s.peek().map(
(c,y)=>y===d?[]:c))};return o("form",{class:"questions",onSubmit:d=>{d.preventDefault(),a&&e({answers:i},i.flat().join(", "))},children:[t.map((d,p)=>o(Qs,{question:d,
isOnly:t.length===1&&d.text===n.title,chosen:s.value[p],typed:r.value[p],choose:c=>l(p,c,d.multiple===!0),write:c=>u(p,c)},p)),o("div",{class:"answers",children:[
o("button",{type:"submit",class:"primary",disabled:!a,children:"Answer"}),o("button",{type:"button",class:"quiet",onClick:()=>e({outcome:"cancelled"},"no answer"),
children:"Dismiss"})]})]})}function ht(n){return n.freeText===!0||(n.options??[]).length===0}function Qs({question:n,isOnly:e,chosen:t,typed:s,choose:r,write:i}){
let a=St();return o("fieldset",{children:[o("legend",{class:e?"unseen":"",dir:"auto",children:m(n.text)}),n.options?.map(l=>o("label",{class:"option",children:[
o("input",{type:n.multiple===!0?"checkbox":"radio",name:a,checked:t.includes(l.id),onChange:()=>r(l.id)}),o("span",{dir:"auto",children:[m(l.label??l.id),l.description===
void 0?null:o("small",{children:m(l.description)})]})]},l.id)),ht(n)?o("textarea",{rows:2,dir:"auto","aria-label":`Answer: ${m(n.text)}`,value:s,onInput:l=>i(l.
currentTarget.value)}):null]})}function Xe({sessionId:n,request:e,openedMs:t,call:s,read:r,policy:i,from:a}){let{inbox:l,link:u}=T(),d=`${n}/${e.requestId}`,p=l.sending.value.get(d),c=l.failed.
value.get(d),y=f(""),w=f(!1),b=(F,h)=>{l.answer(n,e.requestId,F,h)},A=e.kind==="approval"?`${e.toolName??"The agent"}${e.subject!==void 0&&e.toolKind!=="execute"?
` ${e.subject}`:""}`:e.title,I=Jn(e,G.value);return o("article",{class:`request request-${e.kind}`,tabIndex:0,"data-request":d,"aria-label":`${e.kind==="approva\
l"?"Approval":"Question"}: ${m(A)}`,"aria-busy":p!==void 0,onKeyDown:F=>{let h=F.target instanceof HTMLElement&&F.target.closest("input, textarea, select")!==null;
e.kind==="approval"&&C()&&p===void 0&&Kn(F,h)&&(F.preventDefault(),y.value=F.key)},children:[a===void 0?null:o("header",{children:[a,o("span",{class:"request-ag\
e",children:oe(G.value-t)})]}),o("header",{children:[o("h3",{dir:"auto",children:e.kind==="approval"?o(P,{children:[o("span",{class:"asks",children:"wants"})," ",
m(A)]}):m(A)}),a===void 0?o("span",{class:"request-age",children:oe(G.value-t)}):null]}),o(Bt,{request:e.kind==="approval"||e.kind==="caller_tool"?e:{...e,subject:void 0},
call:s,isFolded:w}),o("p",{class:"reason",children:[Bn(e,i)," ",I===""?null:o("strong",{class:"deadline",children:I})]}),c===void 0?null:o("p",{class:"error",role:"\
alert",children:m(c)}),p!==void 0?o("p",{class:"sending",role:"status",children:["Sending: ",m(p),"…",u.value==="away"?" The daemon does not answer yet.":""]}):
null,C()?null:o("p",{class:"note",children:"This login only reads: it is answered elsewhere."}),o("div",{class:p===void 0?"":"waits",inert:p!==void 0,hidden:!C(),
children:[e.kind==="approval"?o(Un,{request:e,unseen:Kt(e,s,r,w.value),pressed:y,answer:b}):null,e.kind==="question"||e.kind==="elicitation"?o(Gn,{request:e,answer:b}):
null,e.kind==="caller_tool"?o("p",{class:"note",children:["The program “",m(e.callerId??""),"” answers this."]}):null]})]})}function Xn(){let n=T(),e=n.inbox.requests.value,t=Math.max(e.length,n.inbox.total.value),s=E(null),r=E(!1);return v(()=>{r.current&&document.activeElement===document.
body&&s.current?.focus()},[e]),o("div",{class:"inbox",ref:s,tabIndex:-1,onFocusIn:()=>{r.current=!0},onFocusOut:i=>{r.current=i.relatedTarget===null||s.current?.
contains(i.relatedTarget)===!0},children:[o("h2",{children:e.length===0?n.inbox.isRead.value?"Nothing needs you":"Inbox":`${re(t,"request")} ${t===1?"needs":"ne\
ed"} you`}),e.map(i=>o(Ys,{item:i},N(i))),t>e.length?o("p",{class:"empty",children:[t-e.length," more follow when these are answered."]}):null,e.length===0?o("p",
{class:"empty",children:n.inbox.isRead.value?Vs(n.sessions.value.size):"Reading what is asked…"}):null]})}function Vs(n){return n===0?"What agents ask will sh\
ow here. There is no session yet: begin one with New, or in a terminal.":"What agents ask in any session shows here: approvals with their diff or command, and q\
uestions. Choose a session to read along."}function Ys({item:n}){let e=T(),t=f({entry:void 0,read:"reading"}),s=N(n);v(()=>{let i=!0;return e.inbox.call(n).then(
a=>{i&&(t.value={entry:a,read:a===void 0?"failed":"read"})}),()=>{i=!1}},[s]);let r=o("a",{class:"from",href:`/s/${n.sessionId}`,"data-place":!0,dir:"auto",children:[
o("strong",{children:m(q(n))}),o("span",{children:[o("bdi",{children:m(n.agent)})," · ",o("bdi",{children:m(Z(n.cwd))})]})]});return o(Xe,{sessionId:n.sessionId,
request:n.request,openedMs:Date.parse(n.openedAt),call:t.value.entry,read:t.value.read,policy:e.sessions.value.get(n.sessionId)?.policy,from:r})}function Hn({close:n}){let e=T(),t=E(null),s=[...e.agents.value.values()],r=s.filter(h=>h.available),i=[...e.sessions.peek().values()].sort((h,g)=>Date.parse(g.
updatedAt)-Date.parse(h.updatedAt))[0],a=f(r.find(h=>h.name===i?.agent)?.name??r[0]?.name??""),l=f([]),u=f(i?.cwd??""),d=f(""),p=f(""),c=f(""),y=f(""),w=f(!1),b=E(
le());v(()=>{t.current?.showModal(),e.client.roots().then(h=>{l.value=h,u.value||=h[0]??""},()=>{})},[]),K(()=>{a.value||=[...e.agents.value.values()].find(h=>h.
available)?.name??""}),K(()=>{y.value!==""&&e.sessions.value.has(y.value)&&(R({view:"session",id:y.value}),n())});let A=async()=>{w.value=!0,c.value="";let h=p.
peek().trim();try{let{id:g}=await e.client.create({agent:a.peek(),cwd:u.peek().trim(),...d.peek()===""?{}:{model:d.peek()},...h===""?{}:{prompt:p.peek()}},{key:b.
current});y.value=g}catch(g){c.value=$(g),w.value=!1}},I=e.agents.value.get(a.value)?.models??[],F=[...new Set([...l.value,...[...e.sessions.peek().values()].map(
h=>h.cwd)])].slice(0,50);return o("dialog",{ref:t,class:"new","aria-labelledby":"new-title",onClose:n,children:[o("h2",{id:"new-title",children:"New session"}),
e.agents.value.size>0&&r.length===0?o("p",{class:"error",children:["No agent is installed that could work. ",o("code",{children:"ringmaster doctor"})," says wha\
t is missing."]}):null,o("form",{onSubmit:h=>{h.preventDefault(),A()},children:[o("label",{children:["Agent",o("select",{value:a.value,onChange:h=>{a.value=h.currentTarget.
value,d.value=""},children:s.map(h=>o("option",{value:h.name,disabled:!h.available,children:[m(h.name),h.available?"":" (not installed)"]},h.name))})]}),o("labe\
l",{children:["Folder",o("input",{list:"new-folders",required:!0,autocomplete:"off",spellcheck:!1,value:u.value,onInput:h=>{u.value=h.currentTarget.value}}),o("\
datalist",{id:"new-folders",children:F.map(h=>o("option",{value:h},h))})]}),I.length===0?null:o("label",{children:["Model",o("select",{value:d.value,onChange:h=>{
d.value=h.currentTarget.value},children:[o("option",{value:"",children:"The agent’s own choice"}),I.map(h=>o("option",{value:h.id,children:m(h.label??h.id)},h.
id))]})]}),o("label",{children:["First prompt",o("textarea",{rows:4,dir:"auto",value:p.value,onInput:h=>{p.value=h.currentTarget.value}})]}),c.value===""?null:o(
"p",{class:"error",role:"alert",children:m(c.value)}),o("div",{class:"answers",children:[o("button",{class:"primary",disabled:w.value||a.value===""||u.value.trim()===
"",children:w.value?"Beginning…":"Begin"}),o("button",{type:"button",onClick:()=>t.current?.close(),children:"Cancel"})]})]})]})}function jn(){let{link:n,listAsOf:e}=T();return n.value!=="away"||e.value===0?null:o("p",{class:"kept",role:"status",id:"kept-list",children:["Offline. This lis\
t is as of ",o(zn,{at:e.value}),"."]})}function _n({session:n}){let{link:e}=T();return e.value!=="away"||n.seq.value===0?null:o("p",{class:"kept kept-log",role:"\
status",children:["Offline. What stands here goes up to ",o(zn,{at:n.fold.state.ts}),"; what came since is not in this browser."]})}function zn({at:n}){let e=new Date(
n),t=e.toDateString()===new Date().toDateString();return o("time",{dateTime:e.toISOString(),children:t?e.toLocaleTimeString():e.toLocaleString()})}var gt=matchMedia("(max-width: 55rem)"),He=k(gt.matches);gt.addEventListener("change",()=>He.value=gt.matches);function je({list:n}){return o(P,{children:n.map((e,t)=>o(P,{children:[t===0?"":" · ",o("bdi",{children:m(e)})]},t))})}var Zs=B(()=>import("./part-4MOAMDJX.js").then(n=>n.Controls));function Qn({id:n,session:e}){let{feed:t}=Y(),s=t.sessions.value.get(n),r=f(""),i=f(!1),a=f(
!1),{state:l,toolName:u,stalled:d}=(e.head.value>=0&&e.isWhole.value?e.fold.state.status:void 0)??s.status,p=l==="idle"&&Nt(s.lastTurn),c=!["idle","completed","\
terminated","failed","interrupting","starting"].includes(l),y=async()=>{i.value=!0,r.value="";try{await t.client.session(n).interrupt()}catch(I){r.value=$(I)}i.
value=!1},{costMicros:w,totalTokens:b}=s.spent,A=[s.agent,e.fold.state.model??s.model??"",Z(s.cwd),b>0?`${Ct(b)} tokens`:"",be(w)].filter(I=>I!=="");return o(P,
{children:[o("header",{class:`head${c?" works":""}`,children:[o("a",{class:"back",href:"/","data-place":!0,"aria-label":"Back to all sessions",children:"←"}),
o("div",{class:"head-names",children:[o("h2",{dir:"auto",children:m(q(s))}),o("p",{class:"head-facts",title:m(s.cwd),children:o(je,{list:A})})]}),o("p",{class:`\
state state-${p?"failed":eo(l)}`,role:"status",children:[o("span",{class:"dot","aria-hidden":"true"}),p?"its turn failed":ke(l,m(u??"")),d?", says nothing":""]}),
C()?o("button",{type:"button",class:"quiet settings",title:"Name, model, approvals, end (s)","aria-label":"Settings",onClick:()=>{a.value=!0},children:[o("span",
{class:"on-wide",children:"Settings"}),o("span",{class:"on-phone","aria-hidden":"true",children:"⋯"})]}):null,c&&C()?o("button",{type:"button",class:"stop",disabled:i.
value,"aria-label":i.value?"Stopping…":"Interrupt",title:"Stop the running turn (shift x)",onClick:()=>{y()},children:[o("span",{class:"on-wide",children:i.value?
"Stopping…":"Interrupt"}),o("span",{class:"on-phone","aria-hidden":"true",children:i.value?"…":"■"})]}):null,r.value===""?null:o("p",{class:"error",role:"\
alert",children:m(r.value)})]}),a.value?o(Zs,{id:n,session:e,close:()=>{a.value=!1}}):null]})}function eo(n){return n.startsWith("awaiting")?"needs":n==="failed"?
"failed":n==="idle"?"idle":n==="completed"||n==="terminated"?"ended":"working"}var to=[["talk","Transcript"],["changes","Changes"],["time","Time"],["usage","Usage"],["raw","Raw"]];function Vn({here:n,find:e}){let t=n.part??"talk",{entry:s,
at:r,...i}=n;return o("nav",{class:"parts","aria-label":n.beside===void 0?"Views of this session":`Views of pane ${V(n)+1}`,children:[to.map(([a,l])=>o("a",{href:ie(
{...i,part:a}),"data-place":!0,"data-part":a,"aria-current":a===t?"page":void 0,children:l},a)),o("button",{type:"button",class:"quiet small find-open",title:"F\
ind in what was said (f)",onClick:e,children:"Find"})]})}function Yn({pictures:n,isSending:e,detach:t}){return n.length===0?null:o("ul",{class:"pictures","aria-label":"Images of this prompt",children:n.map((s,r)=>o(no,
{picture:s,number:r+1,isSending:e,detach:t},`${r}/${s.name}/${s.blob.size}`))})}function no({picture:n,number:e,isSending:t,detach:s}){let r=D(()=>URL.createObjectURL(
n.blob),[n]);v(()=>()=>URL.revokeObjectURL(r),[r]);let i=n.name===""?`Image ${e}`:n.name;return o("li",{children:[o("img",{src:r,alt:i,title:i,onLoad:({currentTarget:{
naturalWidth:a,naturalHeight:l}})=>{a*l>H.pixels&&s(n,`“${i}” has ${a} × ${l} points; one image may have ${Math.round(H.pixels/1e6)} million.`)},onError:()=>s(
n,`“${i}” cannot be read as an image.`)}),o("button",{type:"button",class:"small",disabled:t,"aria-label":`Take ${i} out`,onClick:()=>s(n),children:"✕"})]})}function Zn({id:n,session:e}){let{feed:t,drafts:s}=Y(),r=s.of(n).value,i=E(null),a=E(null),l=f(!1),u=e.head.value>=0?e.fold.state.status:void 0,d=t.sessions.value.
get(n),p=u?.state??d?.status.state??"idle",c=!["idle","completed","terminated","failed"].includes(p),y=t.agents.value.get(d?.agent??"")?.capabilities,w=c&&y?.steer===
!0,b=y?.images===!0,A=t.link.value==="away";v(()=>{let g=i.current;g.style.height="auto",g.style.height=`${Math.min(g.scrollHeight+2,240)}px`},[r.text]);let I=g=>{
s.send(t.client,n,g)},F=g=>{let se=[...g??[]];return se.length>0&&b&&!r.isSending&&s.attach(n,se),se.length>0},h=r.isReading||r.text.trim()===""&&r.pictures.length===
0;return o("form",{class:`composer${l.value?" over":""}`,"aria-label":`Write to ${m(q(d??{}))}`,onSubmit:g=>{g.preventDefault(),I()},onDragOver:g=>{g.dataTransfer?.
types.includes("Files")&&(g.preventDefault(),g.dataTransfer.dropEffect=b?"copy":"none",l.value=b)},onDragLeave:()=>{l.value=!1},onDrop:g=>{l.value=!1,F(g.dataTransfer?.
files)&&g.preventDefault()},children:[o(Yn,{pictures:r.pictures,isSending:r.isSending,detach:(g,se)=>s.detach(n,g,se)}),o("textarea",{ref:i,rows:1,dir:"auto","a\
ria-label":"Prompt","data-composer":!0,placeholder:c?"Follow up when this turn ends…":"Write a prompt…",value:r.text,readOnly:r.isSending||r.isReading,onInput:g=>s.
write(n,g.currentTarget.value),onPaste:g=>{b&&F(g.clipboardData?.files)&&g.preventDefault()},onKeyDown:g=>{g.key==="Enter"&&!g.shiftKey&&!g.isComposing?(g.preventDefault(),
I((g.ctrlKey||g.metaKey)&&w?"steer":void 0)):g.key==="Escape"&&(g.stopPropagation(),g.currentTarget.blur())}}),o("div",{class:"composer-row",children:[o("p",{class:r.
error!==""?"error":r.isSending||A?"note":"note hint",role:"status",children:r.isSending?"Sending…":r.error!==""?m(r.error):A?"The daemon does not answer. What\
 you write is kept here.":c?"Enter queues it for the end of this turn.":"Enter sends, Shift Enter makes a new line."}),b?o(P,{children:[o("input",{ref:a,type:"f\
ile",class:"unseen",tabIndex:-1,"aria-hidden":"true",accept:tn,multiple:!0,onChange:g=>{F(g.currentTarget.files),g.currentTarget.value=""}}),o("button",{type:"b\
utton",class:"quiet",disabled:r.isSending,title:"PNG, JPEG, GIF or WebP, at most 8 of at most 10 MiB; they can be pasted and dropped, too",onClick:()=>a.current?.
click(),children:"Image…"})]}):null,w?o("button",{type:"button",disabled:h||r.isSending,onClick:()=>I("steer"),title:"Goes into the running turn (Ctrl Enter)",
children:"Steer"}):null,o("button",{type:"submit",class:"primary",disabled:h||r.isSending,children:c?"Follow up":"Send"})]})]})}function es({id:n,session:e}){let t=T(),s=f(""),r=f(""),i=e.head.value>=0?e.fold.state.queue:[];if(i.length===0)return null;let a=async(u,d)=>{s.value=u,r.value=
"";try{await d()}catch(p){r.value=$(p)}s.value=""},l=t.client.session(n);return o("section",{class:"queue","aria-label":`Prompts that wait: ${m(q(t.sessions.value.
get(n)??{}))}`,children:[o("h3",{children:["Waiting ",o("span",{class:"count",children:i.length})]}),r.value===""?null:o("p",{class:"error",role:"alert",children:m(
r.value)}),o("ol",{children:i.map((u,d)=>o("li",{"aria-busy":s.value===u.promptId,children:[o("span",{class:"queue-text",dir:"auto",children:[u.streamingBehavior===
"steer"?o("span",{class:"kind",children:"steer "}):null,m(u.text.split(`
`)[0]??"")]}),C()?o(P,{children:[o("button",{type:"button",class:"quiet small","aria-label":"Move up",disabled:d===0||s.value!=="",onClick:()=>{a(u.promptId,()=>l.
move(u.promptId,{position:d}))},children:"↑"}),o("button",{type:"button",class:"quiet small","aria-label":"Move down",disabled:d===i.length-1||s.value!=="",onClick:()=>{
a(u.promptId,()=>l.move(u.promptId,{position:d+2}))},children:"↓"}),o("button",{type:"button",class:"quiet small","aria-label":"Take out of the queue",disabled:s.
value!=="",onClick:()=>{a(u.promptId,()=>l.cancel(u.promptId))},children:"✕"})]}):null]},u.promptId))})]})}function ts({id:n,session:e,entry:t}){let s=f(!0),r=E(Se.peek()[n]);K(()=>{G.value>0&&s.value&&document.visibilityState==="visible"&&At(n,e.seq.value)});let i=e.
isWhole.value,a=i&&e.entries.value.length===0,l=t!==void 0&&i&&e.fold.entry(t)===void 0;return o(P,{children:[l?o("p",{class:"notice",role:"status",children:["T\
his log has no entry ",o("code",{children:m(t)}),": the link is of another session, or of one that was begun anew."]}):null,o(Jt,{session:e,isAtEnd:s,target:t,seen:r.
current,tail:o(P,{children:[i?null:o("p",{class:"empty",children:"Reading the log…"}),a&&e.fold.state.turns.length===0&&e.fold.state.end===void 0?o("p",{class:"\
empty",children:["Nothing was said yet.",C()?" Write the first prompt below.":""]}):null,e.trouble.value===""?null:o("p",{class:"error",children:e.trouble.value}),
o(so,{id:n,session:e}),o(oo,{session:e})]})}),o(es,{id:n,session:e}),C()?o(Zn,{id:n,session:e}):o("p",{class:"empty",children:"This login only reads."})]})}function so({
id:n,session:e}){let t=e.head.value>=0?e.fold.openRequests:[];return!e.isWhole.value||t.length===0?null:o("div",{class:"asked",children:t.map(s=>{let r=s.entryId===
void 0?void 0:e.entry(s.entryId);return o(Xe,{sessionId:n,request:s,openedMs:s.openedTs,call:r,read:r===void 0?"failed":"read",policy:e.fold.state.policy},`${s.
requestId}/${s.openedSeq}`)})})}function oo({session:n}){let e=n.head.value>=0?n.fold.state.end:void 0;return e===void 0?null:o("div",{class:e.reason==="error"?
"failure":"mark ended",children:[o("p",{children:[o("strong",{children:e.reason==="error"?"The session failed.":"The session has ended."})," ",e.error===void 0?
null:o("span",{dir:"auto",children:m(e.error)})]}),e.hint===void 0?null:o("p",{dir:"auto",children:m(e.hint)})]})}var ro=B(()=>import("./part-6OKX2C2A.js").then(n=>n.Raw)),io=B(()=>import("./part-XHM4N65T.js").then(n=>n.Changes)),ao=B(()=>import("./part-76S5YT5I.js").
then(n=>n.Usage)),lo=B(()=>import("./part-DDUFMTR4.js").then(n=>n.Find)),uo=B(()=>import("./part-QWIA3YPA.js").then(n=>n.Time));function yt({here:n}){
let{id:e}=n,{feed:t,drafts:s}=Y(),r=t.sessions.value.get(e),i=r!==void 0,a=D(()=>i?t.follow(e):void 0,[t,e,i]);return v(()=>{a!==void 0&&(a.onEvent=l=>{l.type===
"prompt_queued"&&s.taken(e,l.idempotencyKey)})},[a]),a===void 0||r===void 0?o("div",{class:"nothing",children:[o("a",{class:"back",href:"/","data-place":!0,children:"\
← Sessions"}),t.isListed.value?o(P,{children:[o("h2",{children:"No such session"}),o("p",{class:"empty",children:["There is none with the id ",o("code",{children:m(
e)})," within the reach of this login. It may have been removed."]})]}):o("p",{class:"empty",children:"Reading the list of sessions…"})]}):o(co,{here:n,session:a},
e)}function co({here:n,session:e}){let{feed:t}=Y(),s=f(!1),{id:r}=n,i=()=>{if(s.value=!0,n.part!==void 0&&n.part!=="talk"){let{part:l,at:u,...d}=n;R(d)}},a=n.part===
void 0||n.part==="talk";return o("section",{class:"session","aria-label":m(q(t.sessions.value.get(r)??{})),children:[o(Qn,{id:r,session:e}),o(_n,{session:e}),o(
Vn,{here:n,find:i}),s.value&&a?o(lo,{session:e,here:n,close:()=>{s.value=!1}}):null,a?o(ts,{id:r,session:e,entry:n.entry}):e.isWhole.value?o(po,{here:n,session:e}):
o("p",{class:"empty",role:"status",children:"Reading the log…"})]})}function po({here:n,session:e}){switch(n.part){case"changes":return o(io,{session:e});case"\
usage":return o(ao,{session:e});case"time":return o(uo,{session:e,here:n});default:return o(ro,{session:e})}}function ns({here:n}){let e=T(),t=xe(n),s=V(n),r=E(null),i=t.map(l=>l.id);if(D(()=>e.show(i),[e,i.join()]),v(()=>{let l=document.activeElement,u=r.current?.querySelector(
".pane.focused");u?.scrollIntoView({block:"nearest",inline:"nearest"}),u&&!u.contains(l)&&(l===document.body||l?.closest(".pane")!=null)&&ue()},[n.id]),t.length===
1)return o(yt,{here:n},n.id);let a=He.value?[n]:t;return o("div",{class:"grid",ref:r,children:[He.value?o("nav",{class:"pane-names","aria-label":"Sessions besid\
e each other",children:t.map((l,u)=>o("a",{href:ie(l),"data-place":!0,"aria-current":u===s?"true":void 0,dir:"auto",children:m(q(e.sessions.value.get(l.id)??{}))},
l.id))}):null,o("div",{class:`panes panes-${a.length}`,children:a.map(l=>{let u=i.indexOf(l.id),d=p=>{u!==s&&p.target.closest(".pane-close")===null&&R(l,!0)};return o(
"div",{class:`pane${u===s?" focused":""}`,role:"group",tabIndex:-1,"aria-label":`Pane ${u+1} of ${t.length}${u===s?", has the keys":""}`,onFocusIn:d,onPointerDown:d,
children:[o("a",{class:"pane-close",href:ie(Pe(n,u)),"data-place":"alone","aria-label":"Close this pane",title:"Close this pane",children:"✕"}),o(yt,{here:l})]},
l.id)})})]})}var mo={needs:"!",failed:"✕",working:"◐",ready:"●",idle:"○",ended:"–"};function ss({group:n}){return o("span",{class:`sign sign-${n}`,"aria-hidden":"t\
rue",children:mo[n]})}function os({filterBox:n,search:e}){let t=T(),s=f(""),r=Pt(()=>Dt(t.sessions.value.values(),t.inbox.requests.value,Se.value,s.value)),i=t.sessions.value.size,a=[
...r.value.values()].reduce((l,u)=>l+u.length,0);return o("nav",{class:"roster","aria-label":"Sessions",children:[o("div",{class:"filter",children:[o("input",{ref:l=>{
n.value=l},type:"search",placeholder:"Filter sessions","aria-label":"Filter sessions",autocomplete:"off",spellcheck:!1,value:s.value,onInput:l=>{s.value=l.currentTarget.
value},onKeyDown:l=>{l.key==="Escape"?(s.value="",l.currentTarget.blur(),l.stopPropagation()):l.key==="Enter"&&!l.isComposing&&s.peek().trim()!==""&&(l.preventDefault(),
e(s.peek()))}}),o("kbd",{"aria-hidden":"true",children:"/"})]}),o("div",{class:"groups",children:[Ft.map(l=>{let u=r.value.get(l);return u.length===0?null:o("se\
ction",{class:`group group-${l}`,"aria-labelledby":`group-${l}`,children:[o("h2",{id:`group-${l}`,children:[Wt[l]," ",o("span",{class:"count",children:u.length})]}),
o("ul",{children:u.map(d=>o(fo,{row:d},d.session.id))})]},l)}),t.isListed.value?null:o("p",{class:"empty",children:"Reading the list of sessions…"}),t.isListed.
value&&i===0?o("div",{class:"empty",children:[o("p",{children:"No sessions yet."}),o("p",{children:C()?"Begin one with New, above, or in a terminal:":"One is be\
gun in a terminal:"}),o("p",{children:o("code",{children:'ringmaster run --agent claude "…"'})})]}):null,i>0&&a===0?o("p",{class:"empty",children:["No session\
 has “",m(s.value),"” in its name, agent, folder or labels."]}):null,s.value.trim()===""?null:o("p",{class:"filter-more",children:o("button",{type:"button",
class:"small",id:"search-said",onClick:()=>e(s.peek()),children:["Search what was said ",o("kbd",{"aria-hidden":"true",children:"enter"})]})})]})]})}function fo({
row:n}){let e=n.session,t=M.value.view==="session"&&M.value.id===e.id,s=E(null);v(()=>{t&&ho(e.id)&&s.current?.scrollIntoView({block:"nearest"})},[t]);let r=go(
n),i=be(e.spent.costMicros);return o("li",{children:o("a",{class:"row",ref:s,href:`/s/${e.id}`,"data-place":!0,"data-row":e.id,"aria-current":t?"page":void 0,children:[
o(ss,{group:n.group}),o("span",{class:"row-name",dir:"auto",children:m(q(e))}),o("span",{class:"row-age",children:oe(G.value-Date.parse(n.requests[0]?.openedAt??
e.updatedAt))}),r===""?null:o("span",{class:"row-what",dir:"auto",children:m(r)}),o("span",{class:"row-facts",children:o(je,{list:[e.agent,Z(e.cwd),n.below.length>
0?re(n.below.length,"sub-agent"):"",i].filter(a=>a!=="")})})]})})}var wt={id:"",until:0};function ho(n){let e=performance.now();return wt.id!==n&&(wt={id:n,until:e+
2e3}),e<wt.until}function go({session:n,group:e,requests:t,below:s}){let r=t[0];if(r!==void 0){let d=r.request,p=t.length>1?` (+${t.length-1})`:"";return`${d.kind===
"approval"&&[d.toolName,d.subject].filter(Boolean).join(" ")||d.title}${p}`}if(e==="failed")return n.status.state==="failed"?n.endError??"failed":`its turn fail\
ed${n.lastTurn?.error===void 0?"":`: ${n.lastTurn.error}`}`;let i=s.filter(d=>d.status.agentStatus!=="idle").length,l=[e==="idle"?"":e==="ready"?n.lastTurn?.status===
"interrupted"?`its turn was interrupted ${Rt[n.lastTurn.cause??""]??""}`.trim():"its turn has ended":ke(n.status.state,n.status.toolName),n.status.stalled?"says\
 nothing":"",n.status.queuedPrompts?`${re(n.status.queuedPrompts,"prompt")} waiting`:"",i>0?`${i} below at work`:""],u=n.marks?.find(d=>d.state==="reached")?"bu\
dget used up":"";return[...l,u,n.damage!==void 0?"log damaged":n.readOnly?"read-only":""].filter(d=>d!=="").join(" · ")}var yo=B(()=>import("./part-WOL676MA.js").then(n=>n.Palette));function rs({notice:n,leave:e,forget:t}){let s=T(),r=f(null),i=f(!1),a=f(!1),l=f(!1),u=f(void 0),
d=D(()=>({feed:s,filter:()=>r.peek(),help:w=>{i.value=w},begin:()=>{a.value=C()},palette:(w,b="")=>{u.value={mode:w,text:b}},isOpen:()=>i.peek()||a.peek()||u.peek()!==
void 0||l.peek()}),[s]),p=s.inbox.isRead.value?s.inbox.total.value:[...s.sessions.value.values()].filter(w=>w.status.state.startsWith("awaiting")).length,c=M.value;
K(()=>{let w=s.inbox.total.value,b=M.value,A=b.view==="session"?s.sessions.value.get(b.id):void 0;document.title=`${w>0?`(${w}) `:""}${A===void 0?"Ringmaster":`${m(
q(A)).slice(0,80)} · Ringmaster`}`;let I=navigator;(w>0?I.setAppBadge?.(w):I.clearAppBadge?.())?.catch(()=>{})}),kt(()=>{let w=Mn(d);return document.addEventListener(
"keydown",w),()=>document.removeEventListener("keydown",w)},[d]),v(()=>Pn(s),[s]);let y=s.link.value;return o("main",{class:`shell view-${c.view}`,"data-role":s.
role.value,children:[o("h1",{class:"unseen",children:"Ringmaster"}),o("div",{class:"side",children:[o("header",{class:"bar",children:[o("a",{class:"brand",href:"\
/","data-place":!0,children:"Ringmaster"}),o("span",{class:`link link-${y}`,role:"status",children:y==="live"?o("span",{class:"unseen",children:"connected"}):y===
"away"?"daemon away":"connecting…"}),C()?o("button",{type:"button",class:"small",id:"new",title:"Begin a session (c)",onClick:()=>{a.value=!0},children:"New"}):
null,o("a",{class:`needs${p>0?" some":""}`,href:"/inbox","data-place":!0,"aria-current":c.view==="inbox"?"page":void 0,children:p>0?`${p} need${p===1?"s":""} yo\
u`:"Inbox"})]}),n===""?null:o("p",{class:"notice",role:"status",id:"notice",children:m(n)}),o(jn,{}),o(os,{filterBox:r,search:w=>d.palette("said",w)}),o("footer",
{class:"foot",children:[o("div",{class:"foot-row",children:[o("span",{id:"who",title:L.value?.expiresAt===void 0?"":`until ${new Date(L.value.expiresAt).toLocaleString()}`,
children:m([L.value?.name,L.value?.scope&&`(${L.value.scope})`].filter(Boolean).join(" "))}),o("button",{type:"button",class:"quiet small",id:"leave",onClick:e,
children:"Log out"})]}),o("div",{class:"foot-row",children:[Q.value==="unable"?null:o("button",{type:"button",class:"quiet small",id:"notices","aria-pressed":Q.
value==="on",title:"Tells you, while you look elsewhere, of requests and of turns that have ended",onClick:()=>{xn()},children:Q.value==="on"?"Notices on":"Noti\
fy me"}),o("button",{type:"button",class:"quiet small",onClick:()=>d.palette("all"),children:"Go to…"}),o("button",{type:"button",class:"quiet small",onClick:()=>{
i.value=!0},children:"Keys"}),o("button",{type:"button",class:"quiet small",id:"this-browser",onClick:()=>{l.value=!0},children:"This browser"})]})]})]}),o("div",
{class:"main",children:c.view==="session"?o(ns,{here:c}):o(P,{children:[o("a",{class:"back only-phone",href:"/","data-place":!0,children:"← Sessions"}),o(Xn,{})]})}),
o(wo,{}),a.value?o(Hn,{close:()=>{a.value=!1}}):null,u.value===void 0?null:o(yo,{...u.value,commands:Ln(d),close:()=>{u.value=void 0}},u.value.mode),l.value?o(On,
{close:()=>{l.value=!1},forget:t}):null,i.value?o(Fn,{close:()=>{i.value=!1}}):null]})}function wo(){let n=T(),e=f(""),t=f(void 0);return K(()=>{let s=n.inbox.requests.
value.length,r=t.peek();r!==void 0&&s>r?e.value=`An answer is needed: ${s} in all`:s===0&&(e.value=""),t.value=n.inbox.isRead.value?s:void 0}),o("p",{class:"uns\
een",role:"status",children:e.value})}function is({notice:n}){let e=f(""),t=f(""),s=f(!1);return o("main",{class:"gate",id:"out",children:[o("h1",{children:"Ringmaster"}),n===""?null:o("p",{class:"n\
otice",role:"status",id:"notice",children:m(n)}),o("p",{children:"You are not logged in. Run this in a terminal of the daemon’s user; it opens this page logged \
in:"}),o("pre",{class:"command",children:"ringmaster web"}),o("details",{children:[o("summary",{children:"Log in with a token"}),o("form",{onSubmit:r=>{r.preventDefault(),
s.value=!0,yn(e.peek().trim()).then(i=>{s.value=!1,t.value=i})},children:[o("label",{children:[o("span",{children:["Token, as ",o("code",{children:"ringmaster t\
oken create"})," gives it"]}),o("input",{type:"password",autocomplete:"off",spellcheck:!1,value:e.value,onInput:r=>{e.value=r.currentTarget.value}})]}),t.value===
""?null:o("p",{class:"error",role:"alert",children:m(t.value)}),o("button",{class:"primary",disabled:s.value||e.value.trim()==="",children:"Log in"})]})]})]})}function as({
done:n}){let e=f(!1);return o("main",{class:"gate",id:"link",children:[o("h1",{children:"Log in with this link?"}),o("p",{children:"A link from elsewhere would \
log this browser in. Go on only if you asked for it: whoever made the link sees what you do here."}),o("p",{class:"answers",children:[o("button",{id:"trade",type:"\
button",class:"primary",disabled:e.value,onClick:()=>{e.value=!0,Ue().then(n)},children:"Log in with this link"}),o("button",{type:"button",onClick:()=>n(""),children:"\
No"})]})]})}var vt=new $e;function vo({begin:n}){let e=f(n),t=f("");if(v(()=>{n==="trade"&&Ue().then(r=>{t.value=r,e.value="rest"})},[]),e.value==="trade")return o("main",{
class:"gate",children:[o("h1",{children:"Ringmaster"}),o("p",{role:"status",children:"Logging in…"})]});if(e.value==="stranger")return o(as,{done:r=>{Te(),t.value=
r,e.value="rest"}});let s=L.value?.token;return s===void 0?o(is,{notice:t.value}):o(bo,{token:s,notice:t.value,say:r=>{t.value=r}},s)}function bo({token:n,notice:e,
say:t}){let s=D(()=>{let r=new Be(n,"page",(i,a)=>{t(i),a&&(mn(n),L.peek()===null&&te())});return r.onGone=i=>vt.gone(i),r},[n]);return v(()=>(wn(),()=>{s.close()}),
[s]),o($t.Provider,{value:{feed:s,drafts:vt},children:o(rs,{notice:e,leave:()=>{pt().then(t)},forget:async()=>{let r=await gn();vt.forget(),It(),t(r)}})})}Mt();
L.peek()===null&&te();bt(o(vo,{begin:Gt()?Xt?"stranger":"trade":"rest"}),document.getElementById("page"));
