"use strict";(()=>{var qe="ringmaster-";function dn(s,e,t){return`${qe}${s}/${e}/${t}`}var mi=512<<20;var Ae=class{role="waits";leader="";#e=0;step(e){switch(e.type){case"granted":return this.#n("leads","",{type:"lead"});case"heard":return this.#e=0,this.role===
"leads"||this.role==="follows"&&e.leader===this.leader?[]:this.#n("follows",e.leader,{type:"follow",leader:e.leader});case"tick":return this.#t()}}#t(){return this.
role==="leads"?[]:this.role!=="alone"&&this.#e++>=(this.role==="waits"?1:9)-1?[...this.#n("alone","",{type:"alone"}),{type:"ping"}]:[{type:"ping"}]}#n(e,t,n){let r=this.
role==="alone"?[{type:"stop"}]:[];return this.role=e,this.leader=t,this.#e=0,[...r,n]}};var fe=["user_message","assistant_message","thinking","tool_call","tool_result","plan","compaction","system"];var un=["starting","idle","queued","responding","retrying","compacting","running_tool","awaiting_approval","awaiting_input","interrupting","completed","terminat\
ed","failed"];function cn(s){return s==="completed"||s==="terminated"||s==="failed"}var hn=["idle","queued","responding","running_tool"],pt=["pending","awaiting\
_approval","running","completed","error"],me=["completed","interrupted","error"],ge=["user","parent","daemon","agent","lost","budget"],ft=["completed","terminat\
ed","error"],mt=["steer","followUp"],ln=["approval","question","elicitation","caller_tool"],pn=["allowed","denied","answered","failed","cancelled","expired"],fn=[
"read","search","edit","execute","fetch","other"],gt=["ask","allow_reads","allow_all","deny_all"],Me=["allow","deny","deny_stop","ask"],yt=["warn","pause","inte\
rrupt","end"],mn=["session","tree","owner"],gn=["tokens","costMicros","workMs","turns","toolCalls","children"],yn=["warned","reached","lifted"],wn=["dispatched",
"cancelled"];var f=class extends Error{name="EventSyntaxError";problem;path;constructor(e,t=""){super(t===""?`event: ${e}`:`event: ${t}: ${e}`),this.problem=e,this.path=t}},
$=class extends Error{name="CursorError";text;constructor(e,t){super(`cursor ${JSON.stringify(e.slice(0,64))}: ${t}`),this.text=e.slice(0,64)}},C=class extends Error{name="\
LineError";line;problem;constructor(e,t,n){super(`line ${e}: ${n===void 0?t:n.message}`,{cause:n}),this.line=e,this.problem=t}},U=class extends Error{name="Fram\
eError";id;problem;constructor(e,t,n){super(`frame ${JSON.stringify(e.slice(0,64))}: ${n===void 0?t:n.message}`,{cause:n}),this.id=e,this.problem=t}};function M(s){return s.epoch>1?`${s.epoch}.${s.seq}`:`${s.seq}`}function ne(s){let e=s.indexOf("."),t=e<0?1:vn(s.slice(0,e)),n=vn(s.slice(e+1));if(t===void 0||t===
0||n===void 0)throw new $(s,"want SEQ or EPOCH.SEQ");if(e>=0&&t===1)throw new $(s,"in epoch 1 the cursor is the bare number");return{epoch:t,seq:n}}function wt(s){
let e=s.lastIndexOf("/");if(e<1)throw new $(s,"want SESSION/CURSOR");return{sessionId:s.slice(0,e),cursor:ne(s.slice(e+1))}}function vn(s){let e=Number(s);return/^(0|[1-9][0-9]{0,15})$/.
test(s)&&Number.isSafeInteger(e)?e:void 0}var T=16*1024*1024,Ie=64,Re=65536,H=class extends Number{source;constructor(e){super(e),this.source=e}toJSON(){return Sn===void 0?this.valueOf():Sn(this.source)}},
Sn=JSON.rawJSON;function bt(s,e){let t=Cs(s,e),n;try{n=t?JSON.parse(s,Es):JSON.parse(s)}catch{throw new f("no JSON")}if(!vt(n))throw new f("want an object");return n}
function vt(s){return typeof s=="object"&&s!==null&&!Array.isArray(s)&&!(s instanceof H)}function Es(s,e,t){let n=t?.source;return typeof e=="number"&&n!==void 0&&
String(e)!==n?new H(n):e}var D=-1;function Cs(s,e){if(!s.isWellFormed())throw new f("unpaired surrogate");let t=!1;D=s.indexOf("\\");let n=0,r=[];for(let i=0;i<
s.length;){let o=s.charCodeAt(i);if(o===Ps){let d=s.indexOf('"',i+1),c=D>=0&&D<d;if(c&&(d=_s(s,i+1)),d<0)break;let h=r[r.length-1],g=h===void 0?d+1:Rs(s,d+1);if(h!==
void 0&&s.charCodeAt(g)===Ts){if(n===Re)throw new f("too many members");n++,h.push(c?Ls(s.slice(i,d+1)):s.slice(i+1,d))}i=g}else if(o===xn||o===As){if(r.length===
e)throw new f("nested too deep");r.push(o===xn?[]:void 0),i++}else if(o===qs||o===Ms){let d=r.pop();d!==void 0&&(n-=d.length,Ns(d)),i++}else if(o===On||o>=St&&o<=
xt){let d=js(s,i);t||=!Fs(s,i,d),i=d}else i++}return t}var Ps=34,Ts=58,xn=123,qs=125,As=91,Ms=93,On=45,St=48,xt=57,Is=92;function Rs(s,e){for(;;){let t=s.charCodeAt(
e);if(t!==32&&t!==9&&t!==10&&t!==13)return e;e++}}function _s(s,e){let t=-1;for(;;){if(t<e&&(t=s.indexOf('"',e)),t<0)return-1;if(D>=0&&D<e&&(D=s.indexOf("\\",e)),
D<0||D>t)return t;let n=D+1,r=kn(s,n);if(e=n+1,r!==0){if(r!==1||s.charCodeAt(n+5)!==Is||kn(s,n+6)!==2)throw new f("unpaired surrogate");e=n+11}}}function kn(s,e){
return s.charCodeAt(e)!==117||!/^[dD][89a-fA-F]/.test(s.slice(e+1,e+3))?0:/[89abAB]/.test(s.charAt(e+2))?1:2}function Ls(s){try{return JSON.parse(s)}catch{throw new f(
"no JSON")}}function Ns(s){if(s.length>16){if(new Set(s).size<s.length)throw new f("duplicate key");return}for(let e=1;e<s.length;e++)if(s.indexOf(s[e])<e)throw new f(
"duplicate key")}function js(s,e){for(e++;e<s.length;e++){let t=s.charCodeAt(e);if((t<St||t>xt)&&t!==46&&t!==101&&t!==69&&t!==43&&t!==On)break}return e}function Fs(s,e,t){
let n=e;for(;n<t&&s.charCodeAt(n)>=St&&s.charCodeAt(n)<=xt;)n++;if(n===t&&t-e<16)return!0;let r=s.slice(e,t);return String(Number(r))===r}function b(s){return{members:Object.entries(s),open:!0}}function p(s){return{members:Object.entries(s),open:!1}}function Q(s,e){return{kind:s,must:!0,keep:!0,...e}}
function q(s,e){return{kind:s,must:!1,keep:!1,...e}}var u={string:Q("string"),integer:Q("integer"),natural:Q("natural"),number:Q("number"),word:s=>Q("string",{words:s}),
object:s=>Q("object",{shape:s}),delta:Q("delta"),data:Q("data")},a={string:q("string"),integer:q("integer"),natural:q("natural"),boolean:q("boolean"),strings:q(
"strings"),lists:q("lists"),word:s=>q("string",{words:s}),objects:s=>q("objects",{shape:s})},l={string:q("string",{keep:!0}),integer:q("integer",{keep:!0}),map:q(
"map",{keep:!0}),any:q("any",{keep:!0}),object:s=>q("object",{keep:!0,shape:s})};function V(s,e,t,n="",r=Re){for(let[i,o]of e.members){let d=s[i];if(d==null){if(o.
must)throw new f("missing",`${n}/${i}`);d===null&&delete s[i];continue}switch(o.kind){case"string":if(typeof d!="string")throw new f("want a string",`${n}/${i}`);
break;case"boolean":if(typeof d!="boolean")throw new f("want true or false",`${n}/${i}`);break;case"integer":case"natural":if((typeof d!="number"||!Number.isSafeInteger(
d))&&(s[i]=Us(d,`${n}/${i}`)),o.kind==="natural"&&s[i]<0)throw new f("want a non-negative integer",`${n}/${i}`);break;case"number":if(typeof d!="number"&&!(d instanceof
H)||!Number.isFinite(Number(d)))throw new f("want a number",`${n}/${i}`);s[i]=Number(d);break;case"any":break;default:$s(s,i,o,t,`${n}/${i}`,r)}}}function $s(s,e,t,n,r,i){
let o=s[e];switch(t.kind){case"strings":En(o,r,i);return;case"lists":for(let[d,c]of Ot(o,r,i).entries())En(c,`${r}/${d}`,i);return;case"objects":for(let[d,c]of Ot(
o,r,i).entries())V(kt(c,`${r}/${d}`),t.shape,n,`${r}/${d}`,i);return;case"map":for(let d of Object.values(kt(o,r)))if(typeof d!="string")throw new f("want an ob\
ject of strings",r);return;default:{let d=kt(o,r);if(t.kind==="delta"&&typeof d.op!="string")throw new f(d.op==null?"missing":"want a string",`${r}/op`);let c=Et(
s,d,t,n);c!==void 0&&V(d,c,n,r,i)}}}function Et(s,e,t,n){switch(t.kind){case"delta":return n.delta(e.op);case"data":return n.data(s.entryType);default:return t.
shape}}function Us(s,e){if(s instanceof H&&/^-?[0-9]+$/.test(s.source)&&Number.isSafeInteger(s.valueOf()))return s.valueOf()+0;throw new f("want an integer of a\
t most 2^53-1",e)}function kt(s,e){if(!vt(s))throw new f("want an object",e);return s}function Ot(s,e,t){if(!Array.isArray(s)||s.length>t)throw new f(`want an a\
rray of at most ${t} elements`,e);return s}function En(s,e,t){for(let n of Ot(s,e,t))if(typeof n!="string")throw new f("want an array of strings",e)}var Tn=p({seq:u.natural,ts:u.integer,type:u.string}),Ds=b({tool:a.string,pattern:a.string,action:u.word(Me)}),_e=b({mode:a.word(gt),rules:a.objects(Ds),deadline:a.
integer,default:a.word(Me)}),Cn=b({tokens:a.integer,costMicros:a.integer,workMs:a.integer,turns:a.integer,toolCalls:a.integer,children:a.integer}),Le=b({session:l.
object(Cn),tree:l.object(Cn),action:a.word(yt),warnAt:a.integer}),Ct=b({model:a.string,cwd:a.string,gitBranch:a.string,gitCommit:a.string,title:a.string,labels:l.
map,parentSessionId:a.string,subAgent:a.boolean,spawned:a.boolean,mcp:a.boolean,owner:a.string,via:a.string,policy:l.object(_e),budget:l.object(Le)}),Pt=b({text:u.
string,images:a.strings,streamingBehavior:a.word(mt),promptId:a.string,clientId:a.string}),qn=b({id:u.string,label:a.string,description:a.string}),Ws=b({text:u.
string,header:a.string,options:a.objects(qn),multiple:a.boolean,freeText:a.boolean,prefill:a.string}),re=b({inputTokens:u.integer,cachedInputTokens:u.integer,outputTokens:u.
integer,reasoningOutputTokens:a.integer,totalTokens:u.integer}),Tt=b({input:u.number,output:u.number,cacheRead:u.number,total:u.number,estimated:a.boolean}),se={
truncated:a.boolean,bytes:a.integer},Pn=b({role:u.string,text:u.string,images:a.strings,...se}),Bs=b({text:u.string,status:a.string}),zs={user_message:Pn,assistant_message:Pn,
thinking:b({text:u.string,summary:a.strings,...se}),tool_call:b({toolName:u.string,callId:u.string,arguments:a.string,command:a.string,cwd:a.string,status:u.word(
pt),output:a.string,exitCode:l.integer,durationMs:l.integer,diff:a.string,...se}),tool_result:b({callId:u.string,output:u.string,isError:a.boolean,...se}),plan:b(
{text:a.string,steps:a.objects(Bs)}),compaction:b({summary:u.string,trigger:a.string,tokensBefore:a.integer,...se}),system:b({text:u.string,level:a.string,kind:a.
string,native:l.any,...se})},Js={text_append:b({op:u.word(),text:u.string,contentIndex:l.integer}),text_set:b({op:u.word(),text:u.string}),arguments_append:b({op:u.
word(),text:u.string}),status_change:b({op:u.word(),status:u.word(pt),output:a.string,exitCode:l.integer}),summary_append:b({op:u.word(),summaryIndex:u.integer,
text:u.string})},qt={childSessionId:u.string,entryId:a.string,title:a.string,nativeSessionId:a.string,turnId:a.string,turnStatus:a.word(me),cause:a.word(ge),ended:a.
word(ft)},At={requestId:u.string,kind:u.word(ln),turnId:a.string,entryId:a.string,sessionId:a.string,toolName:a.string,toolKind:a.word(fn),subject:a.string,cwd:a.
string,title:u.string,text:a.string,diff:a.string,diffTruncated:a.boolean,diffBytes:a.integer,options:a.objects(qn),questions:a.objects(Ws),callerId:a.string,arguments:a.
string,deadline:a.integer,default:a.word(Me),guarded:a.boolean},Mt={promptId:u.string,text:u.string,images:a.strings,streamingBehavior:a.word(mt),clientId:a.string,
idempotencyKey:a.string,origin:a.string,notifySessionId:a.string},P={session_start:p({sessionId:u.string,agentBackend:u.string,metadata:u.object(Ct)}),session_end:p(
{reason:u.word(ft),error:a.string,hint:a.string}),session_meta:p({title:l.string,titleGiven:a.boolean,model:l.string,mode:l.string,pendingModel:l.string,pendingMode:l.
string,nativeSessionId:l.string,agentVersion:l.string,labels:l.map,capabilities:a.strings,policy:l.object(_e),budget:l.object(Le)}),child_session:p(qt),epoch:p(
{epoch:u.natural,reason:u.string}),turn_start:p({turnId:u.string,prompt:l.object(Pt)}),turn_end:p({turnId:u.string,status:u.word(me),cause:a.word(ge),error:a.string,
hint:a.string}),entry_start:p({turnId:a.string,entryId:u.string,entryType:u.word(fe),data:u.data,persistentId:a.string,round:a.integer}),entry_delta:p({entryId:u.
string,delta:u.delta}),entry_end:p({turnId:a.string,entryId:u.string,entryType:u.word(fe),data:u.data,persistentId:a.string,incomplete:a.boolean,reason:a.string}),
entry_meta:p({entryId:u.string,persistentId:u.string}),request_opened:p(At),request_resolved:p({requestId:u.string,outcome:u.word(pn),option:a.string,answers:a.
lists,message:a.string,by:u.string,rule:a.integer,mode:a.word(gt)}),prompt_queued:p(Mt),prompt_moved:p({promptId:u.string,before:a.string}),prompt_removed:p({promptId:u.
string,reason:u.word(wn),error:a.string}),token_usage:p({turnId:a.string,usage:u.object(re),sessionTotal:l.object(re),cost:l.object(Tt),model:a.string}),status:p(
{state:u.word(un),agentStatus:u.word(hn),toolName:a.string,queuedPrompts:a.integer,stalled:a.boolean,retryAt:a.integer}),budget:p({scope:u.word(mn),of:a.string,
limit:u.word(gn),state:u.word(yn),spent:u.integer,max:u.integer,action:a.word(yt)})},Gs=new Map(Object.entries(P)),Ks=new Map(Object.entries(Js)),Hs=new Map(Object.
entries(zs));function An(s){return Gs.get(s)}var W={delta:s=>Ks.get(s),data:s=>Hs.get(s)};var Qs=p({turnId:u.string,status:a.word(me),cause:a.word(ge),error:a.string,hint:a.string,prompt:l.object(Pt),startSeq:u.natural,startTs:u.integer,endSeq:a.natural,
endTs:a.integer,entries:a.strings,usage:l.object(re)}),Vs=p({entryId:u.string,entryType:u.word(fe),turnId:a.string,round:a.integer,persistentId:a.string,open:a.
boolean,incomplete:a.boolean,reason:a.string,startSeq:u.natural,startTs:u.integer,endSeq:a.natural,endTs:a.integer,data:u.data}),Xs=p({...At,openedSeq:u.natural,
openedTs:u.integer,resolved:l.object(P.request_resolved),resolvedSeq:a.natural,resolvedTs:a.integer}),Zs=p({...Mt,seq:u.natural,ts:u.integer}),Ys=p({...qt,seq:u.
natural,ts:u.integer}),er=p({sum:u.object(re),reported:l.object(re),cost:l.object(Tt)}),tr=p({totalTokens:u.integer,inputTokens:u.integer,cachedInputTokens:u.integer,
outputTokens:u.integer,reasoningOutputTokens:a.integer,costMicros:u.integer,estimatedMicros:a.integer,turns:u.integer,toolCalls:u.integer,children:u.integer,workMs:u.
integer,workingSince:a.integer}),It=p({file:u.string,offset:a.integer,seq:a.natural,problem:u.string,hint:a.string}),nr=p({turns:u.natural,entries:u.natural,requests:u.
natural}),sr=p({from:u.natural,oldest:u.natural,told:u.object(nr)}),ie=p({sessionId:u.string,agentBackend:u.string,metadata:u.object(Ct),title:a.string,model:a.
string,mode:a.string,pendingModel:a.string,pendingMode:a.string,nativeSessionId:a.string,agentVersion:a.string,labels:l.map,capabilities:a.strings,policy:l.object(
_e),budget:l.object(Le),epoch:u.natural,seq:u.natural,ts:u.integer,status:l.object(P.status),end:l.object(P.session_end),turns:a.objects(Qs),entries:a.objects(Vs),
requests:a.objects(Xs),queue:a.objects(Zs),children:a.objects(Ys),usage:u.object(er),spent:l.object(tr),marks:a.objects(P.budget),damage:l.object(It),part:l.object(
sr)});var Rt=new Map([["heartbeat",p({seq:u.natural,ts:u.integer})],["reset",p({epoch:u.natural,oldest:u.natural,newest:u.natural})],["damage",It],["overflow",p({entryId:u.
string,ts:u.integer,offset:u.natural,delta:u.delta})]]);function X(s,e,t){let n={};for(let[r,i]of e.members){let o=s[r];o!==void 0&&(i.keep||!rr(o))&&(n[r]=ir(s,o,i,t))}if(e.open)for(let r of Object.keys(s))Rn(e,r)||
Mn(n,r,s[r]);return n}function B(s,e){let t={};for(let[n]of e.members){let r=s[n];r!==void 0&&(t[n]=r)}return t}function Mn(s,e,t){e==="__proto__"?Object.defineProperty(
s,e,{value:t,writable:!0,enumerable:!0,configurable:!0}):s[e]=t}function In(s){let e=JSON.stringify(s);return/[\u007f-\u009f\u2028\u2029]/.test(e)&&(e=e.replace(
/[\u007f-\u009f\u2028\u2029]/g,t=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)),(e.includes("\\b")||e.includes("\\f"))&&(e=e.replace(/\\./g,t=>t==="\\b"?
"\\u0008":t==="\\f"?"\\u000c":t)),e}function Rn(s,e){return s.members.some(([t])=>t===e)}function rr(s){return s===""||s===0||s===!1||Array.isArray(s)&&s.length===
0}function ir(s,e,t,n){switch(t.kind){case"strings":return[...e];case"objects":return e.map(r=>X(r,t.shape,n));case"object":case"delta":case"data":{let r=e,i=Et(
s,r,t,n);return i===void 0?{...r}:X(r,i,n)}default:return e}}function I(s){return Ln(_n(s))}function _t(s){let e=_n(s),t=typeof e.type=="string"?Rt.get(e.type):void 0;return t===void 0?Ln(e):(V(e,t,W),e)}function ye(s){return Rt.
has(s.type)}function z(s){return In(X(s,ie,W))}function Z(s){let e=bt(s,Ie+2);return V(e,ie,W,"",1/0),e}function _n(s){if(s.length>T||s.length*3>T&&new TextEncoder().encode(
s).length>T)throw new f("longer than the limit");return bt(s,Ie)}function Ln(s){if(V(s,Tn,W),s.seq===0)throw new f("want a number from 1","/seq");let e=An(s.type);
return e!==void 0&&V(s,e,W),s}var oe=class{#e;#t;#n=[];#s=0;#r=!1;constructor(e,t){this.#e=e,this.#t=t}get isTorn(){return this.#s>0}push(e){let t=[],n=0;this.#r&&e.length>0&&(this.#r=!1,n=e[0]===
10?1:0);let r=this.#t==="any"?e.indexOf(13,n):-1;for(;;){let i=e.indexOf(10,n),o=r>=0&&(i<0||r<i),d=o?r:i;if(d<0)break;t.push(this.#o(e.subarray(n,d))),n=d+1,o&&
(n===e.length?this.#r=!0:e[n]===10&&n++,r=e.indexOf(13,n))}return this.#i(e.subarray(n)),t}#o(e){let t=this.#s+e.length,n=this.#n;if(this.#n=[],this.#s=0,t>this.#e)
return;if(n.length===0)return e;let r=new Uint8Array(t),i=0;for(let o of[...n,e])r.set(o,i),i+=o.length;return r}#i(e){e.length!==0&&(this.#s+=e.length,this.#s>
this.#e?this.#n=[]:this.#n.push(e.slice()))}};var R=class{#e;#t=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#n=0;constructor(e=T){this.#e=new oe(e,"lf")}push(e){let t=[];for(let n of this.#e.push(e)){let r=this.#s(
++this.#n,n);r!==void 0&&t.push(r)}return t}end(){return this.#e.isTorn?new C(this.#n+1,"torn"):void 0}#s(e,t){if(t===void 0)return new C(e,"too long");if(!t.every(
n=>n===13))try{return{number:e,text:this.#t.decode(t)}}catch{return new C(e,"invalid UTF-8")}}};var or=1440*60*1e3,Y=class{#e;#t;#n=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#s=new TextDecoder("utf-8",{ignoreBOM:!0});#r=!1;#o=[];#i=0;#d="";#c="";#a;#u="";#p;constructor(e=T+
64){this.#e=e,this.#t=new oe(e,"any")}get lastEventId(){return this.#u}get retry(){return this.#p}push(e){let t=[];for(let n of this.#t.push(e))n===void 0?(this.#a=
"too long",this.#r=!0):this.#l(n,t);return t}#l(e,t){if(this.#r||(this.#r=!0,e[0]===239&&e[1]===187&&e[2]===191&&(e=e.subarray(3))),e.length>0){this.#h(e);return}
this.#u=this.#c,this.#a!==void 0?t.push(new U(this.#u,this.#a)):this.#o.length>0&&t.push({id:this.#u,name:this.#d,data:this.#o.join(`
`)}),this.#o=[],this.#i=0,this.#d="",this.#a=void 0}#h(e){let t,n=!0;try{t=this.#n.decode(e)}catch{t=this.#s.decode(e),n=!1}let r=t.indexOf(":"),i=r<0?t:t.slice(
0,r),o=r<0?t.length:t[r+1]===" "?r+2:r+1,d=t.slice(o);switch(i){case"data":this.#i+=e.length-o+1,n||(this.#a??="invalid UTF-8"),this.#i>this.#e&&(this.#a="too l\
ong"),this.#a===void 0?this.#o.push(d):this.#o=[];break;case"event":this.#d=d;break;case"id":d.includes("\0")||(this.#c=d);break;case"retry":/^[0-9]+$/.test(d)&&
(this.#p=Math.min(Number(d),or));break}}};function ar(s){switch(s){case"user_message":case"assistant_message":case"thinking":case"plan":case"system":return"text";case"tool_call":case"tool_result":return"\
output";case"compaction":return"summary"}}function Nn(s,e){s.entryType=e.entryType,s.data={...e.data},s.entryType==="thinking"&&s.data.summary!==void 0&&(s.data.summary=[...s.data.summary]),e.persistentId&&
(s.persistentId=e.persistentId)}function jn(s,e){let t=ar(s.entryType),n=s.data;switch(e.op){case"text_append":t!==void 0&&(n[t]=(n[t]??"")+e.text);break;case"t\
ext_set":t!==void 0&&(n[t]=e.text);break;case"arguments_append":s.entryType==="tool_call"&&(s.data.arguments=(s.data.arguments??"")+e.text);break;case"status_ch\
ange":s.entryType==="tool_call"&&dr(s.data,e);break;case"summary_append":s.entryType==="thinking"&&cr(s.data,e.summaryIndex,e.text);break}}function dr(s,e){s.status=
e.status,e.output&&(s.output=(s.output??"")+e.output),e.exitCode!==void 0&&(s.exitCode=e.exitCode)}var ur=1024;function cr(s,e,t){if(e<0||e>=ur)return;let n=s.summary??=
[];for(;n.length<=e;)n.push("");n[e]+=t}var Lt=Number.MAX_SAFE_INTEGER;function Fn(){return{totalTokens:0,inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,costMicros:0,estimatedMicros:0,
turns:0,toolCalls:0,children:0,workMs:0,workingSince:0}}function $n(s,e,t,n){let r={...s};switch(e.type){case"turn_start":ae(s,e.ts),s.workingSince=e.ts;break;case"\
turn_end":s.turns=_(s.turns,1),e.cause!=="daemon"&&ae(s,e.ts),s.workingSince=0;break;case"status":ae(s,e.ts),e.state==="awaiting_approval"||e.state==="awaiting_\
input"?s.workingSince=0:t&&(s.workingSince=e.ts);break;case"entry_start":ae(s,e.ts);break;case"entry_end":e.entryType==="tool_call"&&(s.toolCalls=_(s.toolCalls,
1)),e.incomplete||ae(s,e.ts);break;case"child_session":n&&(s.children=_(s.children,1));break;case"token_usage":ae(s,e.ts),hr(s,e);break;case"session_end":s.workingSince=
0;break}return Object.keys(s).some(i=>(s[i]??0)!==(r[i]??0))}function ae(s,e){let t=s.workingSince??0;t!==0&&e>t&&(s.workMs=_(s.workMs,e-t),s.workingSince=e)}function hr(s,e){
if(s.totalTokens=_(s.totalTokens,e.usage.totalTokens),s.inputTokens=_(s.inputTokens,e.usage.inputTokens),s.cachedInputTokens=_(s.cachedInputTokens,e.usage.cachedInputTokens),
s.outputTokens=_(s.outputTokens,e.usage.outputTokens),s.reasoningOutputTokens=_(s.reasoningOutputTokens??0,e.usage.reasoningOutputTokens??0),e.cost!==void 0){let t=lr(
e.cost);s.costMicros=_(s.costMicros,t),e.cost.estimated&&(s.estimatedMicros=_(s.estimatedMicros??0,t))}}function lr(s){let e=s.total*1e6;return e>0?Math.min(Math.
floor(e+.5),Lt):0}function _(s,e){return Math.min(s+Math.min(Math.max(e,0),Lt),Lt)}function Nt(){return{inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,totalTokens:0}}function jt(s,e){s.inputTokens=we(s.inputTokens,e.inputTokens),
s.cachedInputTokens=we(s.cachedInputTokens,e.cachedInputTokens),s.outputTokens=we(s.outputTokens,e.outputTokens),s.reasoningOutputTokens=we(s.reasoningOutputTokens??
0,e.reasoningOutputTokens??0),s.totalTokens=we(s.totalTokens,e.totalTokens)}function Un(){return{input:0,output:0,cacheRead:0,total:0}}function Dn(s,e){s.input=
Ne(s.input,e.input),s.output=Ne(s.output,e.output),s.cacheRead=Ne(s.cacheRead,e.cacheRead),s.total=Ne(s.total,e.total),s.estimated=!!s.estimated||!!e.estimated}
function Ne(s,e){return Number.isFinite(s+e)?s+e:s}function we(s,e){return Math.max(Math.min(s+e,Number.MAX_SAFE_INTEGER),-Number.MAX_SAFE_INTEGER)}var ee=2,L=class s{state={sessionId:"",agentBackend:"",metadata:{},epoch:0,seq:0,ts:0,turns:[],entries:[],requests:[],queue:[],children:[],marks:[],usage:{sum:Nt()}};#e=new Map;#t=new Map;#n=new Map;constructor(e){
if(e!==void 0){let{damage:t,part:n,...r}=X(e,ie,W);Object.assign(this.state,r)}this.#s()}#s(){for(let e of this.state.turns)this.#e.set(e.turnId,e);for(let e of this.
state.entries)this.#t.set(e.entryId,e);for(let e of this.state.requests)this.#n.set(e.requestId,e)}static of(e){let t=new s,{damage:n,part:r,...i}=e;return Object.
assign(t.state,i),t.#s(),t}apply(e){let t=this.state;if(e.seq<=t.seq)return!1;switch(t.seq=e.seq,t.ts=e.ts,t.epoch=Math.max(t.epoch,1),this.#d(e),e.type){case"s\
ession_start":this.#r(e);break;case"session_end":this.#o(e);break;case"session_meta":this.#i(e);break;case"child_session":this.#c(e);break;case"epoch":t.epoch=Math.
max(t.epoch,e.epoch);break;case"turn_start":this.#a(e,e.turnId).prompt=e.prompt;break;case"turn_end":this.#u(e);break;case"entry_start":this.#l(e);break;case"en\
try_delta":{let n=this.#t.get(e.entryId);n?.open&&jn(n,e.delta);break}case"entry_end":this.#h(e);break;case"entry_meta":{let n=this.#t.get(e.entryId);n!==void 0&&
(n.persistentId=e.persistentId);break}case"request_opened":this.#f(e);break;case"request_resolved":this.#y(e);break;case"prompt_queued":this.#w(e.promptId),t.queue.
push({...B(e,P.prompt_queued),seq:e.seq,ts:e.ts});break;case"prompt_moved":this.#x(e);break;case"prompt_removed":this.#w(e.promptId);break;case"token_usage":this.#b(
e);break;case"status":t.status=B(e,P.status),cn(e.state)||(t.end=void 0);break;case"budget":this.#g(e);break}return!0}get cursor(){return{epoch:Math.max(this.state.
epoch,1),seq:this.state.seq}}get openRequests(){return this.state.requests.filter(e=>e.resolved===void 0)}turn(e){return this.#e.get(e)}entry(e){return this.#t.
get(e)}request(e){return this.#n.get(e)}toJSON(){return X(this.state,ie,W)}#r(e){let{sessionId:t,agentBackend:n,metadata:r}=e,{title:i,model:o,labels:d,policy:c,
budget:h}=r;Object.assign(this.state,{sessionId:t,agentBackend:n,metadata:r,title:i,model:o,labels:d,policy:c,budget:h})}#o(e){this.state.end=B(e,P.session_end);
for(let t of this.state.entries)t.open&&(t.incomplete=!0)}#i(e){let{titleGiven:t,...n}=B(e,P.session_meta);Object.assign(this.state,n)}#d(e){if(e.type==="entry_\
delta")return;let t=this.state,n=e.type==="child_session"&&!t.children.some(o=>o.childSessionId===e.childSessionId),r=t.turns.at(-1),i=t.spent??Fn();$n(i,e,r!==
void 0&&!r.endSeq,n)&&(t.spent=i)}#c(e){let{children:t}=this.state,n=t.findIndex(d=>d.childSessionId===e.childSessionId),{seq:r,ts:i}=t[n]??e,o={...B(e,P.child_session),
seq:r,ts:i};t.splice(n<0?t.length:n,1,o)}#a(e,t){let n=this.#e.get(t);return n===void 0&&(n={turnId:t,startSeq:e.seq,startTs:e.ts,entries:[]},this.#e.set(t,n),this.
state.turns.push(n)),n}#u(e){let{status:t,cause:n,error:r,hint:i}=e;Object.assign(this.#a(e,e.turnId),{status:t,cause:n,error:r,hint:i,endSeq:e.seq,endTs:e.ts})}#p(e){
let t=this.#t.get(e.entryId);if(t===void 0){let{entryId:n,turnId:r,entryType:i,data:o}=e;t={entryId:n,turnId:r,startSeq:e.seq,startTs:e.ts,entryType:i,data:o},this.#t.
set(n,t),this.state.entries.push(t),r&&(this.#a(e,r).entries??=[]).push(n)}return Nn(t,e),t}#l(e){Object.assign(this.#p(e),{open:!0,incomplete:!1,reason:void 0,
round:e.round,endSeq:void 0,endTs:void 0})}#h(e){Object.assign(this.#p(e),{open:!1,incomplete:e.incomplete,reason:e.reason,endSeq:e.seq,endTs:e.ts})}#f(e){let{requests:t}=this.
state,n=this.#n.get(e.requestId),r={...B(e,P.request_opened),openedSeq:e.seq,openedTs:e.ts};t.splice(n===void 0?t.length:t.indexOf(n),1,r),this.#n.set(e.requestId,
r)}#y(e){let t=this.#n.get(e.requestId);t!==void 0&&t.resolved===void 0&&Object.assign(t,{resolved:B(e,P.request_resolved),resolvedSeq:e.seq,resolvedTs:e.ts})}#g(e){
let t=B(e,P.budget),n=[...this.state.marks],r=n.findIndex(i=>i.scope===t.scope&&(i.of??"")===(t.of??"")&&i.limit===t.limit);t.state!=="lifted"?n.splice(r<0?n.length:
r,1,t):r>=0&&n.splice(r,1),this.state.marks=n}#w(e){this.state.queue=this.state.queue.filter(t=>t.promptId!==e)}#x(e){let{queue:t}=this.state,n=e.before??"",r=t.
find(d=>d.promptId===e.promptId);if(r===void 0||e.promptId===n)return;let i=t.filter(d=>d!==r),o=i.findIndex(d=>d.promptId===n);i.splice(o<0?i.length:o,0,r),this.
state.queue=i}#b(e){let{usage:t}=this.state;jt(t.sum,e.usage),t.reported=e.sessionTotal??t.reported,e.cost!==void 0&&Dn(t.cost??=Un(),e.cost);let n=this.#e.get(
e.turnId??"");n!==void 0&&jt(n.usage??=Nt(),e.usage)}};var Wn={now:()=>performance.now(),after:(s,e)=>{let t=setTimeout(e,s);return()=>clearTimeout(t)},random:Math.random};function de(s,e,t){return new Promise((n,r)=>{
if(t?.aborted){r(t.reason);return}let i=()=>{o(),r(t.reason)},o=s.after(e,()=>{t?.removeEventListener("abort",i),n()});t?.addEventListener("abort",i,{once:!0})})}var F=class extends Error{name="Problem";code;status;title;detail;hint;errors;lookAt;retryAfterMs;body;constructor(e,t=0){super(e.detail??e.title),this.body=e,this.
code=e.code,this.status=e.status,this.title=e.title,this.detail=e.detail??"",this.hint=e.hint??"",this.errors=e.errors??[],this.lookAt=e.lookAt??"",this.retryAfterMs=
t}},v=class extends Error{name="Unreachable";where;sent;hint="start one with: ringmaster up, or name another address";constructor(e,t,n){let r=n instanceof Error?
`: ${n.message}`:"";super(n===void 0?`no daemon runs for ${e}`:`no daemon answers at ${e}${r}`,{cause:n}),this.where=e,this.sent=t}},y=class extends Error{name="\
UnexpectedAnswer"};function te(s){return s instanceof F?s.code==="overloaded"||s.code==="unavailable":s instanceof v}var pr=new Set(["ECONNREFUSED","ENOENT","EN\
OTFOUND","EAI_AGAIN","EHOSTUNREACH","ENETUNREACH","EACCES","UND_ERR_CONNECT_TIMEOUT"]);function Bn(s,e){let t=e instanceof Error&&e.cause instanceof Error?e.cause:
e,n=t instanceof Error&&"code"in t?String(t.code):"";return new v(s,!pr.has(n),t)}function J(s,e,t){let n=s>1?Math.min(250*2**Math.min(s-2,10),3e4)/2:0,r=Math.max(n,e/2);return Math.floor(Math.max(n,e)+t*r)}var be=class{size=0;isAsked=!1;isUsed=!1;#e;#t=0;#n=0;constructor(e){this.#e=e}add(e){this.behind(this.#t+e.count,this.#n+e.bytes)}behind(e,t){this.#t=e,this.#n=
t}get isDue(){return this.#e>0&&this.#t>=this.#e&&this.#n>=this.size}get isWorthwhile(){return this.#e>0&&this.#t>0&&this.#n>=Math.floor(this.size/8)}ask(e){return this.
behind(0,0),this.isAsked=!0,{type:"save",at:e}}drop(){this.behind(0,0),this.size=0,this.isAsked=this.isUsed=!1}};var N=class{#e={epoch:1,seq:0};#t=[];#n=0;add(e,t){this.#e=e,this.#t.push(t),this.#n+=fr(t)+1}get isEmpty(){return this.#t.length===0}get count(){return this.#t.
length}get bytes(){return this.#n}get store(){return{type:"store",at:this.#e,lines:this.#t}}};function fr(s){let e=s.length;for(let t=0;t<s.length;t++){let n=s.
charCodeAt(t);n>=128&&(e+=n>=2048&&(n<55296||n>57343)?2:1)}return e}function zn(s){let e=s.index;return e!==void 0&&e.epoch>0&&e.seq>0&&e.length>0&&s.file.length>=e.length&&s.file.whole&&s.file.seq===e.seq&&s.file.sum===e.sum}function je(s,e){
return s.epoch===e.epoch&&s.seq>0&&s.length>0&&s.seq<=e.seq&&s.length<=e.length&&s.seq===e.seq==(s.length===e.length)}var mr=65536,ue={epoch:1,seq:0},Fe=class{at=ue;#e=!1;#t=new N;#n=new N;#s=!1;#r=new be(0);#o=!1;#i;constructor(e){this.#i=e}get cached(){return this.#e}begin(e){
this.#o=this.#r.isUsed,this.#r.isUsed=!1,e&&(this.#r.isAsked=!1,this.#n.isEmpty||(this.#n=new N,this.#s=!1))}open(e){this.at=ue,this.#e=e.cached,this.#t=new N,this.#r=
new be(e.saveEvery??0),e.cached?zn(e)?this.#d(e):e.index!==void 0?(this.#i({type:"drop"}),this.#i({type:"tell",notice:"cache_dropped"})):(e.file.length>0||e.checkpoint!==
void 0)&&this.#i({type:"drop"}):e.since!==void 0&&e.since.seq>0&&(this.at=e.since)}#d(e){let t=e.index;e.file.length>t.length&&this.#i({type:"cut",length:t.length});
let n=0,r=0;this.#r.behind(t.seq,t.length),e.checkpoint!==void 0&&(je(e.checkpoint,t)?(n=e.checkpoint.length,r=e.checkpoint.seq,this.#r.behind(t.seq-r,t.length-
n),this.#r.size=e.checkpoint.size,this.#r.isUsed=!0):this.#i({type:"drop_checkpoint"})),this.#i({type:"read",from:n,after:r}),this.at={epoch:t.epoch,seq:t.seq}}show(e,t){
this.at=e,this.#i({type:"show",at:e,line:t}),this.#e&&(this.#t.add(e,t),this.#t.bytes>=mr&&this.store())}store(){this.#t.isEmpty||(this.#n=this.#t,this.#t=new N,
this.#i(this.#n.store),this.#r.add(this.#n),this.#r.isDue&&this.#i(this.#r.ask(this.at)))}leave(){this.store(),this.#e&&this.#r.isWorthwhile&&this.#i(this.#r.ask(
this.at))}saved(e){this.#r.size=e}readAnew(){return this.#o?(this.#r.drop(),this.#r.behind(this.at.seq,0),this.#i({type:"forget"}),this.#i({type:"drop_checkpoin\
t"}),this.#i({type:"read",from:0,after:0}),!0):!1}storeFailed(){if(!this.#n.isEmpty){if(this.#r.size>0){this.#r.drop(),this.#i({type:"drop_checkpoint"}),this.#i(
this.#n.store);return}if(!this.#s){this.#s=!0,this.#i({type:"evict"}),this.#i(this.#n.store),this.#r.isAsked&&this.#i(this.#r.ask(this.at));return}this.#e=!1,this.#n=
new N,this.#t=new N,this.#i({type:"drop"}),this.#i({type:"tell",notice:"uncached"})}}drop(e){this.at=e,this.#t=new N,this.#r.drop(),this.#e&&this.#i({type:"drop"}),
this.#i({type:"forget"})}};var Ft=1e3,ve=class{#e=0;#t=0;#n=0;#s=!1;retryMs=0;agreed(){this.#e=this.#t=this.#n=0,this.#s=!0}line(){this.#e=this.#n=0,this.#s=!0}anew(){this.#n=0}connected(){
this.#s=!1}lost(){this.#e=Math.min(this.#e+1,Ft)}refused(){this.lost(),this.#e=Math.max(this.#e,2)}strike(){this.#t=Math.min(this.#t+1,Ft)}gap(){return this.#n=
Math.min(this.#n+1,Ft),this.#n===1}wait(e,t){let n=Math.max(this.#e,this.#t-1),r=n>1||!this.#s?Math.max(e,this.retryMs):e;return n<=1&&r<=0?void 0:J(n,r,t)}};var Jn=Number.MAX_SAFE_INTEGER,Se=class{#e="closed";#t=new Fe(e=>this.#S(e));#n=new ve;#s=0;#r=[];get phase(){return this.#e}get at(){return this.#t.at}get cached(){
return this.#t.cached}step(e,t){return this.#r=[],this.#s=t,this.#t.begin(e.type!=="store_failed"),this.#o(e),this.#r}#o(e){switch(e.type){case"open":return this.#d(
e);case"tick":return this.#t.store();case"due":case"wake":return this.#e==="waiting"?this.#m():void 0;case"renew":return this.#e==="live"?this.#a():void 0;case"\
moved":return this.#e==="over"||this.#e==="aside"?this.#m():void 0;case"close":return this.#c();case"store_failed":return this.#e==="closed"?void 0:this.#t.storeFailed();case"\
unreadable":return this.#C();case"saved":return this.#t.saved(e.size);case"connected":this.#e==="connecting"&&(this.#e="live");return;case"retry":this.#n.retryMs=
e.ms;return;case"answer":return this.#e==="connecting"?this.#b(e):void 0;case"lost":return this.#k();case"gone":return this.#w(e.reason);default:return this.#P?
this.#i(e):void 0}}#i(e){switch(e.type){case"frame":return this.#u(e);case"heartbeat":(e.at===void 0||this.#l(e.at))&&this.#n.agreed();return;case"reset":this.#n.
strike(),this.#E(Gn(e.epoch,e.oldest)),this.#e="live";return;case"over":return this.#l(e.at)?this.#g("over"):void 0;case"refused":this.#S({type:"tell",notice:"u\
navailable",code:e.code});return;case"damage":return this.#O("damaged")}}#d(e){this.#e==="closed"&&(this.#n=new ve,this.#t.open(e),this.#m())}#c(){this.#t.leave(),
(this.#P||this.#e==="connecting")&&this.#S({type:"disconnect"}),this.#e="closed"}#a(){this.#t.store(),this.#S({type:"disconnect"}),this.#m()}#u(e){if(this.#h(e.
at))this.#y("epoch");else if(e.seq!==e.at.seq)this.#f(e.at);else{if(e.seq<=this.#t.at.seq)return;e.seq!==this.#t.at.seq+1?this.#f(e.at):this.#p(e)}}#p(e){this.#e=
"live",this.#n.line(),this.#t.show(e.at,e.line)}#l(e){return e.seq===0?!0:this.#h(e)?(this.#y("epoch"),!1):e.seq>this.#t.at.seq?(this.#f(e),!1):!0}#h(e){return this.#t.
at.seq>0&&(e.epoch!==this.#t.at.epoch||this.#t.at.seq===Jn)}#f(e){if(!this.#n.gap()){this.#y("gap");return}this.#t.at.seq===0&&(this.#t.at={epoch:Math.min(e.epoch+
1,Number.MAX_SAFE_INTEGER),seq:Jn}),this.#n.strike(),this.#S({type:"disconnect"}),this.#O("gap"),this.#v(0)}#y(e){this.#n.strike(),this.#S({type:"disconnect"}),
this.#E(ue),this.#O(e),this.#v(0)}#g(e){this.#n.agreed(),this.#t.leave(),this.#e=e}#w(e){!this.#P&&this.#e!=="connecting"||(e==="deselected"?(this.#g("aside"),this.#O(
"deselected")):this.#x())}#x(){this.#E(ue),this.#e="gone",this.#O("gone")}#b(e){switch(e.status){case 204:this.#g("over");break;case 410:this.#n.strike(),this.#E(
Gn(e.epoch??0,e.oldest??0)),this.#v(0);break;case 401:case 403:this.#t.leave(),this.#S({type:"forget"}),this.#e="refused",this.#O("refused");break;case 404:this.#x();
break;default:this.#t.store(),this.#n.refused(),this.#O("unavailable"),this.#v(e.retryAfterMs??0)}}#k(){this.#e!=="live"&&this.#e!=="connecting"||(this.#t.store(),
this.#n.lost(),this.#v(0))}#v(e){let t=this.#n.wait(e,this.#s);if(t===void 0){this.#m();return}this.#e="waiting",this.#S({type:"wait",ms:t})}#m(){this.#n.connected(),
this.#e="connecting",this.#S({type:"connect",since:this.#t.at})}#C(){this.#e==="closed"||!this.#t.cached||this.#t.readAnew()||(this.#S({type:"disconnect"}),this.#E(
ue),this.#O("cache_dropped"),this.#m())}#E(e){this.#t.drop(e),this.#n.anew()}get#P(){return this.#e==="live"||this.#e==="over"||this.#e==="aside"}#S(e){this.#r.
push(e)}#O(e){this.#S({type:"tell",notice:e})}};function Gn(s,e){return{epoch:Math.max(s,1),seq:Math.max(e,1)-1}}async function gr(s,e,t,n){let r={...e,headers:{...e.headers,"Idempotency-Key":t}},i=!1,o=0;for(let d=1;;d++)try{return await s.json(r,n)}catch(c){if(n?.throwIfAborted(),
i||=c instanceof v&&c.sent,!i||!te(c)||o>=s.patienceMs)throw i&&c instanceof v&&!c.sent?new v(c.where,!0,c.cause):c;let h=J(d,0,s.clock.random());o+=Math.max(h,
1),await de(s.clock,h,n)}}function S(s,e,t){return gr(s,e,t.key||yr(),t.signal)}function yr(){return Array.from(crypto.getRandomValues(new Uint8Array(16)),s=>s.
toString(16).padStart(2,"0")).join("")}var $t=6e4,wr=64<<20,Ut=1<<20,$e=class{base;where;name;patienceMs;clock;#e;#t;constructor(e){this.base=vr(e.base),this.where=e.where??this.base,this.name=e.name,
this.patienceMs=e.patienceMs??3e4,this.clock=e.clock??Wn,this.#e=e.token,this.#t=e.fetch??((t,n)=>fetch(t,n))}async do(e,t){let n=await this.request(e,t);if(n.ok)
return n;throw Dt(n,await Kn(n,Ut).catch(()=>""))}async request(e,t){let n={...e.headers};this.#e!==void 0&&(n.Authorization=`Bearer ${this.#e}`),e.body!==void 0&&
(n["Content-Type"]??="application/json");let r=new AbortController,i=t===void 0?r.signal:AbortSignal.any([t,r.signal]),o=this.clock.after(e.patienceMs??$t,()=>r.
abort(new Error("the answer does not come")));try{return await this.#t(this.base+e.path+br(e.query??{}),{method:e.method,headers:n,body:e.body===void 0?null:JSON.
stringify(e.body),signal:i,redirect:"manual",credentials:"omit",cache:"no-store",referrerPolicy:"no-referrer"})}catch(d){throw t?.throwIfAborted(),r.signal.aborted?
new v(this.where,!0,r.signal.reason):Bn(this.where,d)}finally{o()}}async json(e,t){let n=await this.text(e,t);try{return n.trim()===""?void 0:JSON.parse(n)}catch(r){
throw new y(`${e.method} ${e.path}: the daemon's answer is no JSON`,{cause:r})}}async text(e,t){let n=await this.do(e,t);try{return await Kn(n,wr)}catch(r){throw t?.
throwIfAborted(),r instanceof y?r:new v(this.where,!0,r)}}};function Dt(s,e){let t=s.headers.get("Content-Type")?.split(";")[0]?.trim()==="application/problem+j\
son";try{let n=JSON.parse(e);if(t&&typeof n.code=="string")return new F({...n,status:s.status},Wt(s))}catch{}return new y(`the daemon answered ${s.status}, whic\
h is none of its own answers: is it something else that listens there?`)}function Wt(s){let e=s.headers.get("Retry-After")??"";return/^[0-9]{1,6}$/.test(e)?Number(
e)*1e3:0}async function Kn(s,e){let t=s.body?.getReader(),n=new TextDecoder,r="",i=0;for(let o=await t?.read();o!==void 0&&!o.done;o=await t.read()){if(i+=o.value.
length,i>e)throw await t.cancel(),new y(`the daemon's answer is longer than ${e>>20} MiB`);r+=n.decode(o.value,{stream:!0})}return r+n.decode()}function br(s){let e=new URLSearchParams;
for(let[t,n]of Object.entries(s))for(let r of Array.isArray(n)?n:n===void 0?[]:[n])e.append(t,String(r));return e.size===0?"":`?${e}`}function vr(s){let e;try{e=
new URL(s)}catch{}if(e===void 0||!["http:","https:"].includes(e.protocol)||e.username+e.password+e.search+e.hash!==""||e.pathname!=="/")throw new TypeError(`bas\
e ${JSON.stringify(s.slice(0,200))}: want http://HOST:PORT or https://HOST:PORT`);return e.origin}var Sr=45e3,Ue=1e4,A=class s{response;#e;#t;#n;#s;#r;constructor(e,t,n,r,i){this.response=t,this.#e=e,this.#n=n,this.#s=r,this.#t=i,this.#r=t.body?.getReader()}static async open(e,t,n){
n?.throwIfAborted();let r=new AbortController,i=()=>r.abort(n.reason),o=()=>n?.removeEventListener("abort",i);n?.addEventListener("abort",i,{once:!0});try{return new s(
e,await e.request(t,r.signal),r,o,n)}catch(d){throw o(),d}}static async begin(e,t,n){let r=await s.open(e,t,n);if(r.response.ok)return r;try{throw await r.problem()}finally{
r.close()}}async problem(){let e=new TextDecoder,t="";for(let n=await this.next();n!==void 0&&t.length<Ut;n=await this.next())t+=e.decode(n,{stream:!0});return Dt(
this.response,t)}async next(){let e=this.#e.clock.after(Sr,()=>this.#n.abort(new Error("the daemon went silent")));try{return(await this.#r?.read())?.value}catch(t){
throw this.#t?.throwIfAborted(),new v(this.#e.where,!0,this.#n.signal.aborted?this.#n.signal.reason:t)}finally{e()}}close(){this.#s(),this.#n.abort(new Error("c\
losed")),this.#r?.cancel().catch(()=>{})}};function Bt(s,e){let t=e.since!==void 0&&e.since.seq>0?M(e.since):void 0;return{method:"GET",path:`${s}/log`,query:{since:t,view:e.view==="settled"?e.view:void 0}}}
function zt(s){let[e,t]=["X-Session-Version","X-Session-Epoch"].map(n=>Number(s.headers.get(n)??NaN));if(!Number.isSafeInteger(e)||!Number.isSafeInteger(t))throw new y(
"the daemon's log does not say how far it goes");return{version:e,epoch:t}}async function*Hn(s,e,t){let n=await A.begin(s,Bt(e,t),t.signal);try{let{version:r,epoch:i}=zt(
n.response),o=new R,d=t.since?.seq??0,c=d===0;for(let h=await n.next();h!==void 0;h=await n.next())for(let g of o.push(h)){let w=xr(g);if(t.view==="settled"||c?
w.seq<=d:w.seq!==d+1)throw new y(`the log has a gap: event ${w.seq} came after ${d}`);c=!1,d=w.seq,yield{event:w,at:{epoch:i,seq:d},line:g.text}}if(o.end()!==void 0||
d<r&&t.view!=="settled")throw new v(s.where,!0,new Error(`the log ended with event ${d} of ${r}`))}finally{n.close()}}function xr(s){if(s instanceof C)throw new y(
`the daemon's log: ${s.message}`,{cause:s});let e=Jt(s.text);if(!ye(e))return e;let{problem:t="",hint:n}=e;throw new F({type:"about:blank",code:"damaged",status:200,
title:"The log is damaged",detail:`The log ends early: ${t}.`,hint:n})}function Jt(s){try{return _t(s)}catch(e){throw e instanceof f?new y(`the daemon's log: ${e.
message}`,{cause:e}):e}}async function*Qn(s,e,t){let n=new Gt(s,e,t);for(;;)try{yield*n.connection();return}catch(r){if(t.signal?.throwIfAborted(),!n.hasJoined||!te(r))throw r;let i=n.
lost();yield{type:"lost",error:r,waitMs:i,awayMs:n.awayMs},await de(s.clock,i,t.signal),n.awayMs+=i}}var Gt=class{hasJoined=!1;awayMs=0;#e;#t;#n;#s;#r=0;#o=0;constructor(e,t,n){
this.#e=e,this.#t=t,this.#n=n.signal,this.#s=n.since??{epoch:1,seq:0}}lost(){return this.#r++,J(this.#r,this.#o,this.#e.clock.random())}async*connection(){let e={
Accept:"text/event-stream"};this.#s.seq>0&&(e["Last-Event-ID"]=M(this.#s));let t=await A.begin(this.#e,{method:"GET",path:`${this.#t}/stream`,headers:e},this.#n);
try{if(this.hasJoined=!0,t.response.status===204)return;let n=new Y,r=this.#e.clock.now();for(let i=await t.next();i!==void 0;i=await t.next()){let o=n.push(i);
this.#o=n.retry??0;for(let d of o){this.awayMs=0,this.#e.clock.now()-r>=Ue&&(this.#r=0);let c=this.#i(d);c!==void 0&&(yield c)}}}finally{t.close()}throw new v(this.#e.
where,!0,new Error("the daemon ended the connection"))}#i(e){if(e instanceof U)throw new y(`the daemon's stream: ${e.message}`,{cause:e});let t=Jt(e.data);if(ye(
t))return t.type==="reset"&&(this.#s={epoch:t.epoch,seq:Math.max(t.oldest,1)-1}),t.type==="heartbeat"?void 0:t;let n=ne(e.id);if(n.epoch===this.#s.epoch&&t.seq<=
this.#s.seq)throw new y(`the log has a gap: event ${t.seq} came again`);if(this.#s.seq>0&&t.seq!==this.#s.seq+1)throw new y(`the log has a gap: event ${t.seq} c\
ame after ${this.#s.seq}`);return this.#s=n,this.#r=0,{type:"line",event:t,at:n,line:e.data}}};var De=class{id;#e;constructor(e,t){this.#e=e,this.id=t}show(e={}){return this.#r("GET","",void 0,e)}change(e,t={}){let n={"Content-Type":"application/merge-pat\
ch+json"};return S(this.#e,{method:"PATCH",path:this.#t(),body:e,headers:n},t)}end(e={}){return this.#s("POST","/end",e.reason===void 0?void 0:{reason:e.reason},
e)}remove(e={}){return this.#s("DELETE","",void 0,e)}interrupt(e={}){return this.#s("POST","/interrupt",this.#e.name===void 0?void 0:{clientId:this.#e.name},e)}async state(e={}){
let t=e.at!==void 0&&e.at.seq>0?M(e.at):void 0,n=await this.#e.text({method:"GET",path:this.#t("/state"),query:{at:t,entries:e.entries,before:e.before}},e.signal);
try{return Z(n)}catch(r){throw r instanceof f?new y(`the daemon's state: ${r.message}`,{cause:r}):r}}log(e={}){return Hn(this.#e,this.#t(),e)}async openLog(e={}){
let t=await this.#e.do(Bt(this.#t(),e),e.signal),n=t.headers.get("X-Session-Damage");return{...zt(t),...n===null?{}:{damage:n},body:t.body??new Blob().stream()}}follow(e={}){
return Qn(this.#e,this.#t(),e)}prompt(e,t={}){return this.#s("POST","/prompts",{...this.#n(),...e},t)}async prompts(e={}){return(await this.#r("GET","/prompts",
void 0,e)).prompts}move(e,t,n={}){return this.#s("POST",`/prompts/${ce(e)}/move`,t,n)}cancel(e,t={}){return this.#s("DELETE",`/prompts/${ce(e)}`,void 0,t)}async requests(e={}){
return(await this.#r("GET","/requests",void 0,e)).requests}answer(e,t,n={}){return this.#s("POST",`/requests/${ce(e)}`,{...this.#n(),...t},n)}models(e={}){return this.#r(
"GET","/models",void 0,e)}modes(e={}){return this.#r("GET","/modes",void 0,e)}budget(e={}){return this.#r("GET","/budget",void 0,e)}setBudget(e,t={}){return this.#s(
"PUT","/budget",e,t)}setModel(e,t={}){return this.#s("POST","/model",e,t)}setMode(e,t={}){return this.#s("POST","/mode",e,t)}async raw(e={}){let t={from:e.from,
to:e.to,dir:e.dir},n=await A.begin(this.#e,{method:"GET",path:this.#t("/raw"),query:t},e.signal);return{first:Number(n.response.headers.get("X-Raw-First-Line")??
1),lines:kr(n)}}entryText(e,t={}){return this.#e.do({method:"GET",path:this.#t(`/entries/${ce(e)}/text`)},t.signal)}image(e,t={}){return this.#e.do({method:"GET",
path:this.#t(`/images/${ce(e)}`)},t.signal)}#t(e=""){return`/sessions/${ce(this.id)}${e}`}#n(){return this.#e.name===void 0?{}:{clientId:this.#e.name}}#s(e,t,n,r){
return S(this.#e,{method:e,path:this.#t(t),body:n},r)}#r(e,t,n,r){return this.#e.json({method:e,path:this.#t(t),body:n},r.signal)}};async function*kr(s){try{let e=new R(
1/0);for(let t=await s.next();t!==void 0;t=await s.next())for(let n of e.push(t)){if(n instanceof C)throw new y(`the daemon's native lines: ${n.message}`,{cause:n});
yield JSON.parse(n.text)}}finally{s.close()}}function ce(s){if(/^\.{0,2}$/.test(s))throw new TypeError(`${JSON.stringify(s)} is no id`);return encodeURIComponent(
s)}function Kt(s){return{method:"POST",path:"/stream",body:s,headers:{Accept:"text/event-stream"}}}async function*Vn(s,e,t){let n=await A.begin(s,Kt(e),t.signal);try{
let r=new xe;for(let i=await n.next();i!==void 0;i=await n.next())for(let o of r.push(i))yield o.type==="event"?{...o,...Ht(o.line)}:o;if(e.select!==void 0||e.roster===
!0)throw new v(s.where,!0,new Error("the daemon ended the connection"))}finally{n.close()}}var xe=class{#e=new Y;#t="";get retryMs(){return this.#e.retry??0}push(e){
return this.#e.push(e).map(t=>{if(t instanceof U)throw new y(`the daemon's stream: ${t.message}`,{cause:t});let n=t.id!==this.#t;return this.#t=t.id,n?Or(t):Er(
t)})}};function Or(s){try{let{sessionId:e,cursor:t}=wt(s.id);return{type:"event",sessionId:e,at:t,line:s.data}}catch(e){throw new y(`the daemon's stream: ${String(
e)}`,{cause:e})}}function Er(s){try{let e=JSON.parse(s.data);if(typeof e=="object"&&e!==null&&"type"in e)return e}catch{}throw new y("the daemon's stream: a fra\
me is no signal")}function Ht(s){try{return{event:I(s)}}catch(e){if(e instanceof f)return{};throw e}}var We=class{#e;constructor(e){this.#e=e}#t(e,t=""){return`/webhooks/${encodeURIComponent(e)}${t}`}create(e,t={}){return S(this.#e,{method:"POST",path:"/webhook\
s",body:e},t)}async list(e={}){return(await this.#e.json({method:"GET",path:"/webhooks"},e.signal)).webhooks}show(e,t={}){return this.#e.json({method:"GET",path:this.#t(
e)},t.signal)}change(e,t,n={}){return S(this.#e,{method:"PATCH",path:this.#t(e),body:t},n)}remove(e,t={}){return S(this.#e,{method:"DELETE",path:this.#t(e)},t)}rotate(e,t={},n={}){
return S(this.#e,{method:"POST",path:this.#t(e,"/secret"),body:t},n)}test(e,t={}){return S(this.#e,{method:"POST",path:this.#t(e,"/test")},t)}async deliveries(e,t="\
pending",n={}){return(await this.#e.json({method:"GET",path:this.#t(e,"/deliveries"),query:{state:t}},n.signal)).deliveries}send(e,t,n={}){return S(this.#e,{method:"\
POST",path:this.#t(e,`/deliveries/${encodeURIComponent(t)}/send`)},n)}async sendDead(e,t={}){return(await S(this.#e,{method:"POST",path:this.#t(e,"/dead/send")},
t)).sent}};var ke=class{#e;constructor(e){this.#e=new $e(e)}get where(){return this.#e.where}get wire(){return this.#e}session(e){return new De(this.#e,e)}create(e,t={}){let{
name:n}=this.#e,{prompt:r}=e,i=typeof r=="string"?{text:r}:r,o=i===void 0||n===void 0?e:{...e,prompt:{clientId:n,...i}};return S(this.#e,{method:"POST",path:"/s\
essions",body:o},t)}sessions({signal:e,...t}={}){return this.#e.json({method:"GET",path:"/sessions",query:t},e)}inbox({signal:e,...t}={}){return this.#e.json({method:"\
GET",path:"/requests",query:{state:"open",...t}},e)}wait(e,t={}){let n=(e.timeoutMs??6e4)+$t;return this.#e.json({method:"POST",path:"/wait",body:e,patienceMs:n},
t.signal)}stream({sessions:e,...t},n={}){let r=e&&Object.fromEntries(Object.entries(e).map(([i,o])=>[i,typeof o=="string"?o:M(o)]));return Vn(this.#e,r===void 0?
t:{...t,sessions:r},n)}health(e={}){return this.#e.json({method:"GET",path:"/health"},e.signal)}ready(e={}){return this.#e.json({method:"GET",path:"/ready"},e.signal)}agents(e={}){
return this.#e.json({method:"GET",path:"/agents"},e.signal)}async nativeSessions(e,t={}){let n={cwd:e,agent:t.agent};return(await this.#e.json({method:"GET",path:"\
/native-sessions",query:n},t.signal)).sessions}async roots(e={}){return(await this.#e.json({method:"GET",path:"/roots"},e.signal)).roots}async addRoot(e,t={}){return(await S(
this.#e,{method:"POST",path:"/roots",body:{path:e}},t)).roots}collect(e,t={}){return S(this.#e,{method:"POST",path:"/gc",body:e},t)}reload(e={}){return S(this.#e,
{method:"POST",path:"/config/reload"},e)}metrics(e={}){return this.#e.do({method:"GET",path:"/metrics"},e.signal)}profile(e,t={}){return this.#e.do({method:"GET",
path:`/debug/pprof/${e}`},t.signal)}get webhooks(){return new We(this.#e)}async tokens(e={}){return(await this.#e.json({method:"GET",path:"/tokens"},e.signal)).
tokens}createToken(e,t={}){return S(this.#e,{method:"POST",path:"/tokens",body:e},t)}revokeToken(e,t={}){return S(this.#e,{method:"DELETE",path:`/tokens/${encodeURIComponent(
e)}`},t)}async ownerBudgets(e={}){return(await this.#e.json({method:"GET",path:"/budgets"},e.signal)).budgets}ownerBudget(e,t={}){return this.#e.json({method:"G\
ET",path:`/budgets/${encodeURIComponent(e)}`},t.signal)}setOwnerBudget(e,t,n={}){return S(this.#e,{method:"PUT",path:`/budgets/${encodeURIComponent(e)}`,body:t},
n)}removeOwnerBudget(e,t={}){return S(this.#e,{method:"DELETE",path:`/budgets/${encodeURIComponent(e)}`},t)}askLogin(e={}){return this.#e.json({method:"POST",path:"\
/logins"},e.signal)}login(e,t={}){return this.#e.json({method:"POST",path:"/login",body:e},t.signal)}endLogin(e={}){return S(this.#e,{method:"DELETE",path:"/log\
in"},e)}mcp({signal:e,...t}){return this.#e.request({...t,path:"/mcp"},e)}log(e,t={}){return this.session(e).log(t)}follow(e,t={}){return this.session(e).follow(
t)}prompt(e,t,n={}){return this.session(e).prompt(t,n)}};var he=class{#e;#t=!1;ring(){this.#t=!0,this.#e?.()}async heard(){this.#t||(await new Promise(e=>this.#e=e),this.#e=void 0),this.#t=!1}};function Xn(){let s,e;return{
promise:new Promise((n,r)=>{s=n,e=r}),resolve:s,reject:e}}function Be(s){switch(s.type){case"line":return 100+s.line.length;case"overflow":return 100+("text"in s.overflow.delta?s.overflow.delta.text.length:0);default:return 100}}var Cr=4<<20,ze=class{#e=new Set;#t=[];#n=0;#s=0;#r=[];#o;get isWanted(){return this.#e.size>0}get end(){return this.#o}put(e,t){if(this.#d(e))return this.#i(e,
t);this.#c(e)}async#i(e,t){let n=()=>this.#u();for(t.addEventListener("abort",n);this.#d(e)&&!t.aborted;)await new Promise(r=>this.#r.push(r));t.removeEventListener(
"abort",n),!t.aborted&&this.#c(e)}join(){let e={at:this.#n+this.#t.length,news:new he};return this.#e.add(e),e}leave(e){this.#e.delete(e),this.#a()}take(e){let t=this.#t.
slice(e.at-this.#n);return e.at=this.#n+this.#t.length,this.#a(),t}close(e){this.#o={error:e},this.#p()}#d(e){return this.#e.size>0&&this.#t.length>0&&this.#s+Be(
e)>Cr}#c(e){this.#e.size>0&&(this.#t.push(e),this.#s+=Be(e),this.#p())}#a(){let e=this.#n+this.#t.length;for(let{at:t}of this.#e)e=Math.min(e,t);if(e>this.#n){for(let t of this.#t.
splice(0,e-this.#n))this.#s-=Be(t);this.#n=e}this.#u()}#u(){let e=this.#r;this.#r=[],e.forEach(t=>t())}#p(){for(let{news:e}of this.#e)e.ring()}};var Zn=1e3,Pr=3600*1e3,Tr=256<<20,Qt={askedMs:0,isPassing:!0},Je=class{#e;#t;#n;#s;#r=new he;#o=new Map;#i=!1;#d=new AbortController;constructor(e,t,n,r){this.#e=
e,this.#t=t,this.#n=n,this.#s=r}async run(){let e=()=>this.#r.ring();this.#s.addEventListener("abort",e);try{this.#t.isAsked||await this.#t.openCached();for(let t=0;;){
let n=this.#e.clock.now();await this.#c();let r=await this.#p();if(this.#s.throwIfAborted(),r.error!==void 0){if(!r.isPassing)throw r.error;t=this.#e.clock.now()-
n>=Ue?1:t+1,await this.#a(J(t,r.askedMs,this.#e.clock.random())),await this.#t.all({type:"wake"})}}}finally{this.#s.removeEventListener("abort",e),await this.#t.
closeAll()}}wake(){this.#i=!0,this.#d.abort(),this.#r.ring()}ask(e,t){let n=this.#o.get(e)?.done??[];return new Promise(r=>{this.#o.set(e,{from:t,done:[...n,r]}),
this.#r.ring()})}async#c(){for(let[e,{from:t,done:n}]of this.#o)this.#o.delete(e),await this.#t.ask(e,t),n.forEach(r=>r())}async#a(e){this.#d=new AbortController,
await this.#u(de(this.#e.clock,e,AbortSignal.any([this.#s,this.#d.signal])),()=>!1),this.#s.throwIfAborted()}async#u(e,t){let n=!1,r=()=>{n=!0,this.#r.ring()};for(e.
then(r,r);!n&&!t();)await this.#r.heard(),await this.#c()}async#p(){let e,t=new AbortController;this.#t.mustReopen=!1;let n=A.open(this.#e,Kt(this.#l()),AbortSignal.
any([this.#s,t.signal]));if(await this.#u(n,()=>this.#t.mustReopen),this.#t.mustReopen)return t.abort(Qt),n.then(r=>r.close(),()=>{}),Qt;try{e=await n}catch(r){
return await this.#t.all({type:"lost"}),{error:r,askedMs:0,isPassing:te(r)}}try{if(!e.response.ok)return await this.#h(e);await this.#t.joinAll();let r=await this.#f(
e);return await this.#t.all({type:r.error===void 0?"renew":"lost"}),this.#t.partAll(),r}finally{e.close()}}#l(){let e=[...this.#t.kept.values()].filter(({machine:t})=>t.
phase==="connecting"||t.phase==="over");return{select:this.#n??{},roster:!0,...this.#t.isAsked?{begin:"newest"}:{},sessions:Object.fromEntries(e.map(({id:t,machine:n})=>[
t,M(n.at)]))}}async#h(e){let{response:t}=e,{status:n}=t,r=Wt(t),i=await e.problem(),o=n===429||n>=500,d=o||n===401||n===403?{type:"answer",status:n,retryAfterMs:r}:
{type:"lost"};return await this.#t.all(d),{error:i,askedMs:r,isPassing:o}}async#f(e){let{clock:t}=this.#e,n=new xe,r=t.now(),i=0,o=0,d=!1,c,h=()=>{c=void 0;let m=O=>{
c=O,this.#r.ring()};e.next().then(O=>m(O===void 0?{}:{bytes:O}),O=>m({error:O}))},g=()=>{d=!0,w=t.after(Zn,g),this.#r.ring()},w=t.after(Zn,g);h();try{for(;!this.#t.
mustReopen&&i<Tr&&t.now()-r<Pr;){if(await this.#r.heard(),this.#s.throwIfAborted(),await this.#c(),c!==void 0){let{bytes:m,error:O}=c;if(m===void 0){let K=o===0?
n.retryMs:0;return{error:O??new v(this.#e.where,!0,new Error("the daemon ended the stream")),askedMs:K,isPassing:!0}}i+=m.length;for(let K of n.push(m))o++,await this.#t.
take(K);h()}(d||this.#i)&&(await this.#t.all({type:"tick"}),await this.#t.retry(t.now(),this.#i),d=this.#i=!1)}return Qt}catch(m){return{error:m,askedMs:0,isPassing:te(
m)}}finally{w()}}};var Ge=class{id;machine=new Se;isJoined=!1;due;at={epoch:1,seq:0};fold;#e;#t;constructor(e,t,n,r){this.id=e,this.#e=t,this.#t=r,this.fold=n?new L:void 0}get keepsStates(){
return this.fold!==void 0&&this.#e?.saveState!==void 0&&this.#e.state!==void 0}async step(e){for(let t=e;t!==void 0;){let n=this.machine.step(t,this.#t.random());
t=void 0;for(let r of n){if(r.type==="save"&&t!==void 0)continue;let i=this.#n(r);i!==void 0&&(t=await i??t)}}}async close(){await this.step({type:"close"}),this.
letGo()}letGo(){this.#e?.close()}#n(e){switch(e.type){case"connect":this.isJoined=!1,this.due=void 0,this.#t.reopen();return;case"disconnect":this.isJoined=!1;return;case"\
wait":this.isJoined=!1,this.due=this.#t.now()+e.ms;return;case"show":return this.#s(e.at,e.line);case"forget":return this.at={epoch:1,seq:0},this.fold&&=new L,this.#t.
tell({type:"reset",id:this.id});case"tell":return this.#t.tell({type:"notice",id:this.id,notice:e.notice,...e.code===void 0?{}:{code:e.code}});case"read":return this.#r(
e);case"save":return this.#i(e.at);default:return this.#d(e)}}#s(e,t){let n=this.#t.isWanted(),r=n||this.fold!==void 0?Ht(t):{};return this.at=e,this.fold!==void 0&&
r.event!==void 0&&(this.fold.apply(r.event),this.fold.state.epoch=e.epoch),n?this.#t.tell({type:"line",id:this.id,at:e,line:t,...r}):void 0}async#r(e){let{epoch:t}=this.
machine.at;try{e.from>0&&this.fold!==void 0&&await this.#o({epoch:t,seq:e.after});for await(let{event:n,line:r}of this.#e.lines(this.fold===void 0?{type:"read",
from:0,after:0}:e))await this.#s({epoch:t,seq:n.seq},r);return}catch{return{type:"unreadable"}}}async#o(e){let t=Z(await this.#e.state());if(t.epoch!==e.epoch||
t.seq>e.seq)throw new Error(`a state at ${t.epoch}.${t.seq} stands for the lines up to ${e.epoch}.${e.seq}`);this.fold=new L(t),this.at=e,await this.#t.tell({type:"\
restored",id:this.id,at:e})}async#i(e){if(!(!(this.at.epoch===e.epoch&&this.at.seq===e.seq)||!this.keepsStates||this.fold.state.sessionId===""))try{return{type:"\
saved",size:await this.#e.saveState(e,z(this.fold.toJSON()))}}catch{return}}async#d(e){try{await this.#e?.do(e);return}catch{return e.type==="store"?{type:"stor\
e_failed"}:void 0}}};function Yn(s){let e=/^\{"seq":([0-9]{1,16}),/.exec(s),t=e===null?qr(s):Number(e[1]);return typeof t=="number"&&Number.isSafeInteger(t)&&t>
0?t:0}function qr(s){try{return JSON.parse(s)?.seq}catch{return 0}}var Ke=class{kept=new Map;roster=new Map;mustReopen=!1;#e;#t;#n;#s;#r;isAsked;#o;constructor(e,t,n,r,i){this.#e=e,this.#t=t,this.#s=n.tell,this.#n={...n,reopen:()=>this.
mustReopen=!0},this.#r=r,this.isAsked=i}async openCached(){for(let e of this.#e?.sessions()??[])await this.#a(e)}async ask(e,t){let n=this.kept.get(e);t!==void 0&&
n===void 0?await this.#a(e,t.since):t===void 0&&n!==void 0&&(this.kept.delete(e),await n.close())}async joinAll(){this.mustReopen=!1,this.#o=new Set;for(let e of this.
kept.values())e.machine.phase==="connecting"?(e.isJoined=!0,await e.step({type:"connected"})):(e.machine.phase==="over"||e.machine.phase==="aside")&&(e.isJoined=
!0)}partAll(){for(let e of this.kept.values())e.isJoined=!1}async all(e){for(let t of this.kept.values())await t.step(e)}async retry(e,t){for(let n of this.kept.
values())n.due!==void 0&&(t||e>=n.due)&&(n.due=void 0,await n.step({type:"due"}))}async closeAll(){for(let e of this.kept.values())await e.close()}async take(e){
switch(e.type){case"event":return this.#d(e.sessionId,{type:"frame",at:e.at,seq:Yn(e.line),line:e.line});case"session":return this.#p(e.session);case"roster_com\
plete":return this.#l();case"session_gone":return this.#h(e);case"reset":return this.#d(e.sessionId,{type:"reset",epoch:e.epoch,oldest:e.oldest});case"over":return this.#d(
e.sessionId,{type:"over",at:es(e.cursor)});case"refused":return this.#d(e.sessionId,{type:"refused",code:e.code});case"damage":return this.#d(e.sessionId,{type:"\
damage"});case"overflow":return this.#i(e);case"heartbeat":return this.#u(e.at??{});default:return}}async#i({sessionId:e,...t}){this.kept.get(e)?.isJoined===!0&&
await this.#s({type:"overflow",id:e,overflow:t})}async#d(e,t){let n=this.kept.get(e)??await this.#c(e);n!==void 0&&(n.isJoined&&await n.step(t),n.machine.phase===
"gone"&&(n.letGo(),this.kept.delete(e)))}async#c(e){if(this.isAsked||!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(e))return;let t=this.mustReopen,n=await this.#a(
e);return this.mustReopen=t,n.isJoined=!0,await n.step({type:"connected"}),n}async#a(e,t){let n=await this.#e?.open(e).catch(()=>{}),r=new Ge(e,n?.session,this.#t!==
void 0,this.#n);this.kept.set(e,r),this.#e!==void 0&&n===void 0&&await this.#s({type:"notice",id:e,notice:"uncached"});let i=n?.found,o={type:"open",cached:!1,file:{
length:0,whole:!1,seq:0,sum:0},...t===void 0?{}:{since:t}};return await r.step(i===void 0?o:{...i,...r.keepsStates?{saveEvery:this.#t}:{}}),r}async#u(e){for(let t of this.
kept.values())if(t.isJoined){let n=Object.hasOwn(e,t.id)?e[t.id]:void 0;await t.step(n===void 0?{type:"heartbeat"}:{type:"heartbeat",at:es(n)})}}async#p(e){this.
roster.set(e.id,e),this.#o?.add(e.id),await this.#s({type:"session",id:e.id,session:e})}async#l(){let e=this.#o;this.#o=void 0;let t=e===void 0?[]:[...this.roster.
keys()].filter(n=>!e.has(n));for(let n of t)this.roster.delete(n);this.#r();for(let n of t)await this.#s({type:"gone",id:n})}async#h({sessionId:e,reason:t}){this.
kept.has(e)&&await this.#d(e,{type:"gone",reason:t}),(this.roster.delete(e)||t==="not_found")&&await this.#s({type:"gone",id:e})}};function es(s){try{return ne(
s)}catch(e){throw e instanceof $?new y(`the daemon's stream: ${e.message}`,{cause:e}):e}}var Oe=class{synced;#e=new ze;#t;#n;#s=new AbortController;#r;#o;constructor(e,t={}){let{wire:n}=e,r=Xn();r.promise.catch(()=>{}),this.synced=r.promise,this.#r=
r.reject,this.#t=new Ke(t.cache,t.states===!0?t.saveEvery??5e3:void 0,{tell:i=>this.#e.put(i,this.#s.signal),isWanted:()=>this.#e.isWanted,now:()=>n.clock.now(),
random:()=>n.clock.random()},()=>r.resolve(),t.follow==="asked"),this.#n=new Je(n,this.#t,t.select,this.#s.signal)}async run(e={}){if(this.#o!==void 0)throw new Error(
"the mirror runs or has run");let t=()=>this.#s.abort(e.signal.reason);e.signal?.addEventListener("abort",t),e.signal?.aborted&&t(),this.#o=this.#n.run();let n;
try{await this.#o}catch(r){n=r===Vt?void 0:r}if(e.signal?.removeEventListener("abort",t),this.#e.close(n),this.#r(n??Vt),n!==void 0)throw n}async close(){this.#s.
abort(Vt),await this.#o?.catch(()=>{})}wake(){this.#n.wake()}follow(e,t){return this.#n.ask(e,{since:t})}unfollow(e){this.#n.ask(e,void 0)}roster(){return[...this.#t.
roster.values()].sort((e,t)=>e.id<t.id?-1:1)}at(e){return this.#t.kept.get(e)?.at}state(e){return this.#t.kept.get(e)?.fold?.toJSON()}async*changes(e={}){e.signal?.
throwIfAborted();let t=this.#e.join(),n=()=>t.news.ring();e.signal?.addEventListener("abort",n);try{for(let r of this.roster())yield{type:"session",id:r.id,session:r};
for(;;){let r=this.#e.take(t);if(yield*r,e.signal?.throwIfAborted(),!(r.length>0)){if(this.#e.end!==void 0){if(this.#e.end.error!==void 0)throw this.#e.end.error;
return}await t.news.heard()}}}finally{e.signal?.removeEventListener("abort",n),this.#e.leave(t)}}},Vt=new Error("the mirror was closed");var x=class extends Error{name="CacheError";problem;constructor(e,t,n){super(`cache: ${t}`,n===void 0?void 0:{cause:n}),this.problem=e}};var E=".ndjson",le=".index",G=".state",Ar=512<<20,Mr=64<<20,Ir=8,He=class{files;flush;open=new Set;sizes=new Map;#e;#t;#n=0;constructor(e,t){this.files=e,this.flush=
t.flush??!1,this.#e=t.budget!==void 0&&t.budget>0?t.budget:Ar,this.#t=t.evicted}get size(){return this.#n}async look(){for(let e of await this.files.list())this.#s(
e.name,e.size)}async write(e,t,n,r){let i=this.sizes.get(e)??0,o=Math.max(i,t+n.length);if(this.#n+o-i>this.#e)throw new x("full","over the budget");this.#s(e,o),
await this.files.write(e,t,n,r)}async cut(e,t){await this.files.cut(e,t),this.#s(e,t)}async remove(e){await this.files.remove(e),this.#s(e,0),this.sizes.delete(
e)}async removeSession(e){let t=0;for(let n of[le,G,E])t+=this.sizes.get(e+n)??0,await this.remove(e+n);return t}async evict(){let e=(await this.files.list()).sort(
(n,r)=>n.used-r.used||(n.name<r.name?-1:1)),t=Math.min(Mr,Math.floor(this.#e/Ir));for(let{name:n}of e){if(t<=0)return;let r=n.slice(0,-E.length);!n.endsWith(E)||
this.open.has(r)||(t-=await this.removeSession(r),this.#t?.(r))}}#s(e,t){this.#n+=t-(this.sizes.get(e)??0),this.sizes.set(e,t)}};async function pe(s,e,t){let n=await s.open(e);if(n!==void 0)try{return await t(n)}finally{await n.close()}}var Rr=262144;async function*Ee(s,e,t){for(let n=e;n<
t;){let r=await s.read(n,Math.min(Rr,t-n));if(r.length===0)return;n+=r.length,yield r}}var _r=Nr(),Lr=new Uint8Array(Int32Array.of(1).buffer)[0]===1;function Nr(){let s=new Int32Array(2048);for(let e=0;e<256;e++){let t=e;for(let n=0;n<8;n++)t=t&1?
t>>>1^3988292384:t>>>1;s[e]=t}for(let e=256;e<s.length;e++){let t=s[e-256];s[e]=t>>>8^s[t&255]}return s}function j(s,e=0){let t=_r,n=~e,r=0;if(Lr&&s.length>=16){
for(;(s.byteOffset+r)%4!==0;r++)n=n>>>8^t[(n^s[r])&255];let i=new Int32Array(s.buffer,s.byteOffset+r,s.length-r>>>2),o=i.length&-2;for(let d=0;d<o;d+=2){let c=i[d]^
n,h=i[d+1];n=t[1792+(c&255)]^t[1536+(c>>>8&255)]^t[1280+(c>>>16&255)]^t[1024+(c>>>24)]^t[768+(h&255)]^t[512+(h>>>8&255)]^t[256+(h>>>16&255)]^t[h>>>24]}r+=4*o}for(;r<
s.length;r++)n=n>>>8^t[(n^s[r])&255];return~n>>>0}var k=64,ts=1380804913,Xt={generation:0,epoch:0,seq:0,length:0,sum:0};function Zt(s){let e=new Uint8Array(k),t=new DataView(e.buffer);t.setUint32(0,ts);for(let[
n,r]of[s.generation,s.epoch,s.seq,s.length].entries())t.setUint32(8+8*n,Math.floor(r/2**32)),t.setUint32(12+8*n,r>>>0);return t.setUint32(56,s.sum),t.setUint32(
60,j(e.subarray(0,60))),e}function Ce(s){if(s.length<k)return;let e=new DataView(s.buffer,s.byteOffset,k);if(e.getUint32(0)!==ts||e.getUint32(60)!==j(s.subarray(
0,60)))return;let[t,n,r,i]=[8,16,24,32].map(o=>e.getUint32(o)*2**32+e.getUint32(o+4));if(![t,n,r,i].some(o=>o===0||!Number.isSafeInteger(o)))return{generation:t,
epoch:n,seq:r,length:i,sum:e.getUint32(56)}}function Qe(s){let e;for(let t of[0,1]){let n=Ce(s.subarray(t*k));n!==void 0&&n.generation>(e?.slot.generation??0)&&
(e={slot:n,place:t})}return e}async function ns(s,e){let t=await Yt(s,e),n=t===void 0?void 0:await s.open(e+E);if(t===void 0||n===void 0)return;let{epoch:r,seq:i,length:o}=t;return{epoch:r,seq:i,
length:o,read:(d,c)=>n.read(d,Math.max(0,Math.min(c,o-d))),close:()=>n.close()}}async function Yt(s,e){let t=await pe(s,e+le,n=>n.read(0,2*k));return t===void 0?
void 0:Qe(t)?.slot}var ss=10;async function rs(s,e){let t=0,n=0,r=0,i=0;for await(let d of Ee(s,0,e)){t=j(d,t);let c=d.lastIndexOf(ss);if(c>=0){let h=c===0?-1:d.lastIndexOf(ss,c-1);
r=h>=0?n+h+1:i,i=n+c+1}n+=d.length}let o={length:s.size,whole:i===e,seq:0,sum:t};return o.whole&&i-r<=T+1&&(o.seq=jr(await s.read(r,i-r))),o}function jr(s){let[
e]=new R().push(s);if(e===void 0||e instanceof C)return 0;try{return I(e.text).seq}catch{return 0}}async function is(s){let e=Ce(await s.read(0,k));if(e?.generation!==
ee)return;let t=0;for await(let n of Ee(s,k,s.size))t=j(n,t);return t===e.sum?{epoch:e.epoch,seq:e.seq,length:e.length,size:s.size-k}:void 0}async function os(s,e){
let t=await s.read(0,s.size),n=Ce(t);if(!(n?.generation!==ee||!je({...n,size:0},e)||n.sum!==j(t.subarray(k))))return{at:{epoch:n.epoch,seq:n.seq},bytes:t.subarray(
k)}}async function as(s){let e=await s.read(0,s.size),t=Ce(e);if(t?.generation!==ee||t.sum!==j(e.subarray(k)))throw new x("unreadable","the checkpoint has anoth\
er checksum");return e.subarray(k)}var Ve=class{id;#e;#t;#n=Xt;#s=0;#r=0;#o;#i=!1;constructor(e,t,n){this.#e=e,this.id=t,this.#t=n}async look(){let e=await this.#u(le,i=>i.read(0,2*k)),t={type:"o\
pen",cached:!0,file:{length:0,whole:!1,seq:0,sum:0}},n=e===void 0?void 0:Qe(e);if(n!==void 0){let{epoch:i,seq:o,length:d,sum:c,generation:h}=n.slot;this.#n=n.slot,
this.#s=n.place,this.#r=h,t.index={epoch:i,seq:o,length:d,sum:c}}await this.#u(E,async i=>{t.file.length=i.size,n!==void 0&&i.size>=n.slot.length&&(t.file=await rs(
i,n.slot.length))});let r=await this.#u(G,is);return r===void 0?t:{...t,checkpoint:r}}async do(e){switch(e.type){case"store":return this.#d(e);case"cut":return this.#e.
cut(this.id+E,e.length);case"drop":return this.#c();case"drop_checkpoint":return this.#e.remove(this.id+G);case"evict":return this.#e.evict();case"read":case"sa\
ve":return}}async*lines(e){let t=await this.#e.files.open(this.id+E);if(t===void 0)throw new x("unreadable","there are no lines");let n=e.after;try{let r=new R;
for await(let o of Ee(t,e.from,this.#n.length))for(let d of r.push(o)){let c=Fr(d);if(n>0&&c.event.seq!==n+1)throw new x("unreadable",`the number ${c.event.seq}\
 stands behind ${n}`);n=c.event.seq,yield c}let i=r.end();if(i!==void 0)throw new x("unreadable",i.message,i)}finally{await t.close()}if(n!==this.#n.seq)throw new x(
"unreadable",`the lines end with the number ${n}, not with ${this.#n.seq}`)}async saveState(e,t){this.#a();let{epoch:n,seq:r}=this.#n;if(e.epoch!==n||e.seq!==r)
throw new Error(`cache: a state at ${e.epoch}.${e.seq}, and the lines end at ${n}.${r}`);let i=new TextEncoder().encode(t),o=Zt({...this.#n,generation:ee,sum:j(
i)}),d=new Uint8Array(k+i.length);d.set(o),d.set(i,k);let c=this.id+G;try{await this.#e.write(c,0,d,!1),await this.#e.cut(c,d.length)}catch(h){throw h instanceof
x&&h.problem==="full"||await this.#e.remove(c).catch(()=>{}),h}return i.length}async state(){let e=await this.#u(G,as);if(e===void 0)throw new x("unreadable","t\
here is no checkpoint");return new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(e)}get seq(){return this.#n.seq}close(){this.#i||(this.#i=!0,this.#t())}async#d(e){
this.#a();let t=new TextEncoder().encode(e.lines.map(o=>`${o}
`).join("")),n=this.#n.length,r={generation:this.#r+1,epoch:e.at.epoch,seq:e.at.seq,length:n+t.length,sum:j(t,this.#n.sum)};try{await this.#e.write(this.id+E,n,
t,this.#e.flush)}catch(o){throw await this.#e.cut(this.id+E,n).catch(()=>{}),o}let i=1-this.#s;await this.#e.write(this.id+le,i*k,Zt(r),!1),this.#n=r,this.#s=i,
this.#r=r.generation}async#c(){this.#i&&this.#a(),this.#n=Xt,this.#s=0,this.#o=void 0;try{await this.#e.removeSession(this.id)}catch(e){throw this.#o=e,e}}#a(){
if(this.#i)throw new x("closed","the session was closed");if(this.#o!==void 0)throw this.#o}#u(e,t){return pe(this.#e.files,this.id+e,t)}};function Fr(s){if(s instanceof
C)throw new x("unreadable",s.message,s);try{return{event:I(s.text),line:s.text}}catch(e){throw new x("unreadable","a line is no event",e)}}var Pe=class s{#e;constructor(e){this.#e=e}static async on(e,t={}){let n=new He(e,t);return await n.look(),new s(n)}get size(){return this.#e.size}sessions(){return[
...this.#e.sizes.keys()].filter(t=>t.endsWith(E)).map(t=>t.slice(0,-E.length)).filter(en).sort()}has(e){return this.#e.sizes.has(e+E)}async open(e){this.#t(e),this.#e.
open.add(e);let t=new Ve(this.#e,e,()=>this.#e.open.delete(e));try{let n=await t.look();return await this.#e.files.touch(e+E),{session:t,found:n}}catch(n){throw t.
close(),n}}async glance(e){return en(e)?ns(this.#e.files,e):void 0}async storedState(e){if(!this.#e.sizes.has(e+G))return;let t=await Yt(this.#e.files,e),n=t===
void 0?void 0:await pe(this.#e.files,e+G,r=>os(r,t));return n===void 0?void 0:{at:n.at,state:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(n.bytes)}}async remove(e){
this.#t(e),await this.#e.removeSession(e)}async evict(){await this.#e.evict()}async close(){await this.#e.files.close()}#t(e){if(!en(e)||this.#e.open.has(e))throw new Error(
`cache: session ${JSON.stringify(e.slice(0,64))} is open already, or no session`)}};function en(s){return/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(s)}async function sn(s,e={}){let n=await(e.root??await $r()).getDirectoryHandle(s,{create:!0}),r=await n.getFileHandle("lock",{create:!0}),i=await ds(r,`the folder\
 of ${s} is in use by another tab`);try{return await Pe.on(new tn(await n.getDirectoryHandle("sessions",{create:!0}),i),e)}catch(o){throw i.close(),o}}async function $r(){return await navigator.storage.getDirectory()}var Ur=64,tn=class{#e;#t;#n=new Map;#s=Promise.resolve();constructor(e,t){this.#e=e,this.#t=t}write(e,t,n,r){
return this.#r(e,!0,i=>{for(let o=0;o<n.length;){let d=i.write(n.subarray(o),{at:t+o});if(d<=0)throw new Error(`${e}: ${n.length-o} bytes were not written`);o+=
d}r&&i.flush()})}cut(e,t){return this.#r(e,!1,n=>n.truncate(t))}async open(e){let t=await this.#a(async()=>await this.#c(e)?this.#o(e,!1,r=>r.getSize()):void 0);
return t===void 0?void 0:{size:t,read:(r,i)=>this.#r(e,!1,o=>{let d=new Uint8Array(Math.max(0,Math.min(i,t-r)));return d.subarray(0,o.read(d,{at:r}))}),close:async()=>{}}}remove(e){
return this.#a(async()=>{this.#i(e),await this.#e.removeEntry(e).catch(t=>{if(!nn(t,"NotFoundError"))throw t})})}touch(e){return this.#a(async()=>{await this.#c(
e)&&await this.#o(e,!1,t=>{let n=new Uint8Array(1);t.read(n,{at:0})===1&&t.write(n,{at:0})})})}list(){return this.#a(async()=>{let e=[];this.#d();for await(let t of this.#e.
values())if("getFile"in t&&!t.name.startsWith(".")){let{size:n,lastModified:r}=await t.getFile();e.push({name:t.name,size:n,used:r})}return e})}async close(){await this.#a(
async()=>{this.#d(),this.#t.close()})}#r(e,t,n){return this.#a(()=>this.#o(e,t,n))}async#o(e,t,n){let r=this.#n.get(e)??await ds(await this.#e.getFileHandle(e,{
create:t}),`${e} is open elsewhere`);return this.#n.delete(e),this.#n.set(e,r),this.#n.size>Ur&&this.#i(this.#n.keys().next().value),n(r)}#i(e){this.#n.get(e)?.
close(),this.#n.delete(e)}#d(){for(let e of[...this.#n.keys()])this.#i(e)}async#c(e){if(this.#n.has(e))return!0;try{return await this.#e.getFileHandle(e),!0}catch(t){
if(nn(t,"NotFoundError"))return!1;throw t}}#a(e){let t=this.#s.then(e);return this.#s=t.catch(()=>{}),t}};async function ds(s,e){try{return await s.createSyncAccessHandle()}catch(t){
throw nn(t,"NoModificationAllowedError")?new x("locked",e,t):t}}function nn(s,e){return s instanceof Error&&s.name===e}var Dr=50,Wr=100;async function us(s,e){try{let t=await navigator.storage.getDirectory(),n=qe+s;return await zr(t,n),{folder:await Br(n,e),...Jr(await t.getDirectoryHandle(
n))}}catch{return}}async function Br(s,e){for(let t=1;;t++)try{return await sn(s,{budget:e})}catch(n){if(!(n instanceof x)||n.problem!=="locked"||t===Dr)throw n;
await new Promise(r=>setTimeout(r,Wr))}}async function zr(s,e){let t=[];for await(let{name:n}of s.values())n.startsWith(qe)&&n!==e&&t.push(n);for(let n of t)await s.
removeEntry(n,{recursive:!0}).catch(()=>{})}function Jr(s){let e=["roster.0","roster.1"],t=0,n=async r=>{try{let i=await(await s.getFileHandle(r)).getFile(),o=JSON.
parse(await i.text());return Array.isArray(o.sessions)&&typeof o.at=="number"?o:void 0}catch{return}};return{roster:async()=>{let[r,i]=await Promise.all(e.map(n));
return t=(r?.at??0)>(i?.at??0)?1:0,t===1?r:i},keepRoster:async(r,i)=>{let o=await(await s.getFileHandle(e[t],{create:!0})).createSyncAccessHandle();try{let d=new TextEncoder().
encode(JSON.stringify({at:i,sessions:r}));o.truncate(0);for(let c=0;c<d.length;){let h=o.write(d.subarray(c),{at:c});if(h<=0)throw new Error("the list was not w\
ritten");c+=h}t=1-t}finally{o.close()}}}}function cs(s){return async(e,t)=>{let n=new URL(e).pathname==="/stream";try{let r=await fetch(e,t);return n&&s(r.ok?"live":"away"),r}catch(r){throw n&&!t.signal.
aborted&&s("away"),r}}}var Xe=class{#e;#t=[];#n=0;#s=0;#r=new Map;#o=0;constructor(e){this.#e=e}get size(){return this.#n+this.#o}put(e,t=200){this.#t.push(e),this.#n+=t}line(e,t,n){let r=this.#t.
at(-1);r?.type==="lines"&&r.id===e&&r.epoch===t.epoch&&r.from+r.lines.length===t.seq?r.lines.push(n):this.#t.push({type:"lines",id:e,epoch:t.epoch,from:t.seq,lines:[
n]}),this.#n+=100+n.length}overflow(e){let{delta:t}=e.overflow;this.put(e,200+("text"in t?t.text.length:0))}flush(){if(this.#t.length===0)return;let e=++this.#s;
this.#r.set(e,this.#n),this.#o+=this.#n;let t=this.#t;this.#t=[],this.#n=0,this.#e({n:e,told:t})}taken(e){for(let[t,n]of this.#r){if(t>e)break;this.#r.delete(t),
this.#o-=n}}};var hs={epoch:1,seq:0};function rn(s,e){return s.seq===0||e.seq===0?s.seq<e.seq:s.epoch<e.epoch||s.epoch===e.epoch&&s.seq<e.seq}var Ze=class{stage="begin";at=hs;wants(e){
return this.stage==="lines"||this.stage==="behind"?!1:(e===null?this.stage="begin":this.goOn(e),!0)}begin(){this.stage="begin",this.at=hs}goOn(e){this.stage="li\
nes",this.at=e}isNext(e){return e.seq===this.at.seq+1&&(this.at.seq===0||e.epoch===this.at.epoch)}};var Ye=class{#e=new Map;#t=0;get asOf(){return this.#t}get sessions(){return[...this.#e.values()]}get latest(){return this.sessions.sort((e,t)=>Date.parse(t.updatedAt)-
Date.parse(e.updatedAt)).map(e=>e.id)}replace(e,t){this.#e.clear(),e.forEach(n=>this.put(n)),this.#t=t}put(e){this.#e.set(e.id,e)}delete(e){this.#e.delete(e)}seq(e){
return this.#e.get(e)?.seq??(this.#t===void 0?0:void 0)}isNear(e,t){return(this.seq(e)??0)-t<=5e3}};var et=class{#e;#t=new Map;constructor(e){this.#e=e}get ids(){return this.#t.keys()}stage(e){return this.#t.get(e)}glance(e){this.#t.set(e,"glancing"),this.#e.glance(
e)}glanced(e){return this.#t.get(e)!=="glancing"?!1:(this.#t.set(e,"glanced"),!0)}follow(e){let t=this.#t.get(e);t!=="opening"&&t!=="open"&&(this.#t.set(e,"open\
ing"),this.#e.follow(e))}opened(e){return this.#t.get(e)!=="opening"?!1:(this.#t.set(e,"open"),!0)}keep(e){for(let t of[...this.#t.keys()].filter(n=>!e(n)))this.#t.
delete(t),this.#e.unfollow(t)}};var tt=class{#e;#t;#n=new Map;#s;#r=new Ye;#o="connecting";#i;#d;#c;constructor(e,t,n){this.#e=e,this.#d=t,this.#t=n,this.#s=new et(n)}get known(){let{latest:e}=this.#r;
return[...[...this.#s.ids].filter(t=>!e.includes(t)),...e]}reading(e){let t=this.#r.seq(e)??1/0,n=this.#e.at(e)?.seq??0;return this.#o==="away"||this.#s.stage(e)===
void 0||n>=t?void 0:{seq:n,of:t}}get roster(){return this.#r.sessions}get since(){return this.#i}join(e){this.leave(e);let t={places:new Map,out:new Xe(n=>this.#t.
send(e,n)),owesRoster:!1};this.#n.set(e,t),t.out.put({type:"keeps",keeps:this.#d}),this.#r.asOf!==0&&t.out.put(this.#v()),t.out.put(this.#k()),this.#c!==void 0&&
t.out.put(this.#c)}leave(e){this.#n.delete(e)&&this.#p()}ask(e,t){let n=this.#n.get(e);if(n!==void 0)switch(t.type){case"want":return this.#a(n,t.at);case"taken":
return n.out.taken(t.n),this.#x(n);case"wake":return this.#t.wake()}}answer(e,t){this.#n.get(e)?.out.put(t,t.type==="past"?262144:400*(1+t.hits.length))}glanced(e,t){
let n=this.#s.glanced(e);this.#m(e,(r,i)=>{let o=i.stage==="begin"&&this.#s.stage(e)!=="open";o&&typeof t=="object"&&this.#h(e,t.at)?this.#y(r,e,i,t.at,t.state):
o&&n&&(t==="lines"||this.#o==="away")?this.#s.follow(e):o&&n&&this.#f(r,e,i)})}opened(e){this.#s.opened(e)&&this.#m(e,(t,n)=>this.#l(t,e,n))}take(e){switch(e.type){case"\
session":return this.#r.put(e.session),this.#b({type:"session",session:e.session});case"gone":return this.#r.delete(e.id),this.#b({type:"gone",id:e.id});case"li\
ne":return this.#m(e.id,(t,n)=>this.#w(t,e.id,n,e.at,e.line));case"overflow":return this.#m(e.id,({out:t},{stage:n})=>n==="lines"&&t.size<=1048576?t.overflow(e):
void 0);case"restored":return this.#m(e.id,(t,n)=>this.#l(t,e.id,n));case"reset":return this.#m(e.id,(t,n)=>{(n.stage==="lines"||n.stage==="behind")&&(t.out.put(
{type:"reset",id:e.id,at:n.at}),n.begin(),this.#l(t,e.id,n))});case"notice":return this.#m(e.id,t=>t.out.put({type:"notice",id:e.id,notice:e.notice}))}}list(e,t){
this.#r.replace(e,t);for(let n of this.#n.values())n.out.put(this.#v())}link(e,t){if(e===this.#o)return!1;this.#i=e==="away"&&this.#o==="live"?t:void 0,this.#o=
e;for(let n of this.#n.values()){n.out.put(this.#k());for(let[r,i]of n.places)(i.stage==="none"||e==="away"&&i.stage==="daemon")&&(i.begin(),this.#u(n,r,i))}return!0}refused(e,t){
this.#c={type:"refused",why:e,isOver:t};for(let n of this.#n.values())n.out.put(this.#c)}flush(){for(let e of this.#n.values())e.out.flush()}#a(e,t){for(let n of e.
places.keys())Object.hasOwn(t,n)||e.places.delete(n);for(let[n,r]of Object.entries(t)){let i=e.places.get(n);i===void 0&&e.places.set(n,i=new Ze),r!==null&&this.#s.
follow(n),i.wants(r)&&this.#u(e,n,i)}this.#p()}#u(e,t,n){let r=this.#s.stage(t);r==="open"||n.stage!=="begin"?this.#l(e,t,n):r==="glanced"&&this.#o==="away"?this.#s.
follow(t):(r===void 0||r==="glanced")&&this.#s.glance(t)}#p(){this.#s.keep(e=>[...this.#n.values()].some(({places:t})=>t.has(e)))}#l(e,t,n){if(this.#s.stage(t)!==
"open")return;let r=this.#e.at(t)??{epoch:1,seq:0};n.stage==="lines"?rn(n.at,r)&&this.#g(e,t,n,r):n.stage==="begin"&&(r.seq>0&&this.#h(t,r)?this.#g(e,t,n,r):this.#o===
"away"?(n.stage="none",e.out.put({type:"none",id:t})):this.#f(e,t,n))}#h(e,t){return this.#o==="away"||this.#r.isNear(e,t.seq)}#f(e,t,n){n.stage="daemon",e.out.
put({type:"ask",id:t})}#y(e,t,n,r,i){n.goOn(r),e.out.put({type:"state",id:t,at:r,state:i},262144)}#g(e,t,n,r){if(e.out.size>1048576){n.stage="behind";return}let i=this.#e.
state(t);i===void 0?this.#f(e,t,n):this.#y(e,t,n,r,i)}#w(e,t,n,r,i){n.stage!=="lines"||!rn(n.at,r)||(n.isNext(r)?e.out.size>1048576?n.stage="behind":(n.at=r,e.out.
line(t,r,i)):this.#l(e,t,n))}#x(e){if(!(e.out.size>1048576/2)){e.owesRoster&&(e.owesRoster=!1,e.out.put(this.#v()));for(let[t,n]of e.places)n.stage==="behind"&&
(n.stage="lines",this.#l(e,t,n))}}#b(e){for(let t of this.#n.values())t.owesRoster||t.out.size>1048576?t.owesRoster=!0:t.out.put(e)}#k(){return{type:"link",link:this.#o,
...this.#i===void 0?{}:{since:this.#i}}}#v(){let{sessions:e,asOf:t}=this.#r;return{type:"roster",sessions:e,...t===void 0?{}:{asOf:t}}}#m(e,t){for(let n of this.#n.
values()){let r=n.places.get(e);r!==void 0&&t(n,r)}}};function fs(s){if(!(s instanceof Error))return String(s);if(s.name==="Unreachable")return"The daemon does not answer.";let e="hint"in s&&typeof s.hint=="string"?
s.hint:"";return[ps(s.message),e===""?"":ps(e)].filter(t=>t!=="").join(" ")}function ps(s){let e=s.charAt(0).toUpperCase()+s.slice(1);return/[.!?]$/.test(e)?e:`${e}\
.`}var nt=class{#e;#t=new Set;constructor(e){this.#e=e}wait(e,t){let n=this.#e(e);if(!(n===void 0||t.aborted))return new Promise(r=>{let i=()=>{clearTimeout(o.timer),
this.#t.delete(o),t.removeEventListener("abort",i),r()},o={id:e,...n,end:i,timer:setTimeout(i,1e4)};this.#t.add(o),t.addEventListener("abort",i)})}look(){for(let e of this.#t){
let t=this.#e(e.id);t===void 0||t.seq>=Math.min(e.of,t.of)?e.end():t.seq!==e.seq&&(e.seq=t.seq,clearTimeout(e.timer),e.timer=setTimeout(e.end,1e4))}}};var Kr=65536,Hr=1<<20,Qr=24,ms=32<<20,Vr=4,Xr=8,st=class{#e;#t;#n=new Map;constructor(e,t){this.#e=e,this.#t=t}async state(e,t,n){let r=await this.#e.glance(e);
if(r===void 0)return;let i;try{i=r.epoch===t.epoch&&r.seq>=t.seq&&t.seq>0?await this.#r(e,r,t,n):void 0}catch{}finally{await r.close()}if(await this.#s(e,r))return i;
this.#n.delete(e)}async#s(e,t){let n=await this.#e.glance(e);return await n?.close(),n!==void 0&&n.epoch===t.epoch&&n.length>=t.length}async#r(e,t,n,r){let i=this.#n.
get(e),o=i?.epoch===t.epoch?i:{epoch:t.epoch,marks:[]};this.#n.delete(e),this.#n.set(e,o),this.#n.size>Vr&&this.#n.delete(this.#n.keys().next().value);let d=o.marks.
findLast(m=>m.seq<=n.seq),c=new L(d===void 0?void 0:Z(d.state)),h=d?.seq??0,g=new Uint8Array,w=this.#t.now();for(let m=d?.at??0;h<n.seq&&m<t.length;){let O=await t.
read(m,Kr);if(O.length===0)return;m+=O.length;let K=O.lastIndexOf(10)+1;if(K>0){let Os=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(gs(g,O.subarray(0,
K))).split(`
`);for(let lt of Os)if(lt!==""&&h<n.seq){if(Zr(lt)!==++h)return;Yr(c,lt)}}if(g=gs(K>0?new Uint8Array:g,O.subarray(K)),h<n.seq&&this.#o(o,c,h,m-g.length,t),this.#t.
now()-w>=Xr&&(await this.#t.rest(),w=this.#t.now()),r.aborted)return}return h===n.seq?ys(c,t.epoch):void 0}#o(e,t,n,r,i){let o=e.marks.at(-1);if(r-(o?.at??0)<Math.
max(Hr,i.length/Qr))return;let d=ys(t,i.epoch);if(!(d===void 0||d.length>ms/4))for(e.marks.push({seq:n,at:r,state:d});;){let c=[...this.#n.values()].map(g=>({r:g,
size:g.marks.reduce((w,m)=>w+m.state.length,0)}));if(c.reduce((g,{size:w})=>g+w,0)<=ms)return;let{r:h}=c.reduce((g,w)=>w.size>g.size?w:g);h.marks=h.marks.filter(
(g,w)=>w%2===1)}}};function gs(s,e){let t=new Uint8Array(s.length+e.length);return t.set(s),t.set(e,s.length),t}function Zr(s){let e=/^\{"seq":([0-9]{1,16}),/.exec(
s);return e===null?JSON.parse(s).seq:Number(e[1])}function Yr(s,e){try{s.apply(I(e))}catch(t){if(!(t instanceof f))throw t}}function ys(s,e){if(s.state.sessionId!==
"")return z({...s.toJSON(),epoch:e})}var ei=10,rt=class{#e=[];#t=0;#n=new TextDecoder;take(e){let t=e.indexOf(ei);if(t<0)return this.#s(e),[];let n=this.#r(e.subarray(t+1));return this.#s(e.subarray(
0,t)),n}end(){return this.#r(new Uint8Array)}#s(e){this.#t+e.length>T&&(this.#e=[],this.#t=0),this.#e.push(e),this.#t+=e.length}#r(e){let t=new Uint8Array(e.length+
this.#t);t.set(e);let n=e.length;for(let r of this.#e.reverse())t.set(r,n),n+=r.length;return this.#e=[],this.#t=0,this.#n.decode(t).split(`
`).filter(r=>r!=="").reverse()}};function ws(s){switch(s.entryType){case"user_message":case"assistant_message":case"system":return s.data.text;case"thinking":return s.data.text||(s.data.summary??
[]).join(`
`);case"tool_call":return[s.data.toolName,s.data.command??s.data.arguments??"",s.data.diff??"",s.data.output??""].join(`
`);case"tool_result":return s.data.output;case"plan":return[s.data.text??"",...(s.data.steps??[]).map(e=>e.text)].join(`
`);case"compaction":return s.data.summary;default:return""}}var ti=16<<20,ni=/^\{"seq":\d+,"ts":(\d+),"type":"(entry_start|entry_delta|entry_end|[a-z_]+)",(?:"turnId":"[^"\\]*",)?(?:"entryId":"([^"\\]*)",)?/,it=class{#e;#t=new Set;#n=new Map;#s=0;constructor(e){
this.#e=e}take(e){let t=ni.exec(e),n=t!==null&&t[3]!==void 0?{ts:Number(t[1]),type:t[2],entryId:t[3]}:t!==null&&!t[2].startsWith("entry_")?void 0:ri(e);if(!(n===
void 0||this.#t.has(n.entryId)))switch(n.type){case"entry_end":return this.#t.add(n.entryId),this.#o(n.entryId),this.#e.mayBeIn(e)?this.#i(n,ii(e)):void 0;case"\
entry_delta":this.#r(n.entryId,e);return;case"entry_start":return this.#t.add(n.entryId),this.#i(n,oi([e,...this.#o(n.entryId).reverse()],n.entryId))}}#r(e,t){let n=this.#n.
has(e)?this.#n.get(e):[];n!==void 0&&this.#s+t.length>ti?(this.#o(e),this.#n.set(e,void 0)):n!==void 0&&(n.push(t),this.#s+=t.length,this.#n.set(e,n))}#o(e){let t=this.#n.
get(e)??[];return this.#n.delete(e),this.#s-=t.reduce((n,r)=>n+r.length,0),t}#i({ts:e,entryId:t},n){return n===void 0?void 0:on(this.#e,{...n,entryId:t,ts:e})}};
function on(s,e){let t=si(e);if(t===""||!s.isIn(t))return;let n=e.entryType==="tool_call"?String(e.data.toolName??"").slice(0,80):"";return{entryId:e.entryId,kind:e.
entryType,ts:e.ts,parts:s.snippet(t),...n===""?{}:{tool:n}}}function si(s){try{let e=ws(s);return typeof e=="string"?e:""}catch{return""}}function ri(s){try{let{
ts:e,type:t,entryId:n}=JSON.parse(s);return typeof e=="number"&&typeof t=="string"&&typeof n=="string"?{ts:e,type:t,entryId:n}:void 0}catch{return}}function ii(s){
try{let{entryType:e,data:t}=JSON.parse(s);return typeof t=="object"&&t!==null?{entryType:e,data:t}:void 0}catch{return}}function oi(s,e){let t=new L;for(let n of s)
try{t.apply(I(n))}catch{}return t.entry(e)}var ai=/^[A-Za-z0-9_.,:-]+$/,ot=class{#e;#t;#n;constructor(e){let t=e.split(/\s+/).filter(r=>r!=="").slice(0,12).map(r=>r.slice(0,100)),n=t.map(r=>r.replace(/[\\^$.*+?()[\]{}|/]/g,
"\\$&"));this.#e=n.map(r=>new RegExp(r,"iu")),this.#t=new RegExp(n.join("|"),"giu"),this.#n=this.#e.filter((r,i)=>ai.test(t[i]))}get isEmpty(){return this.#e.length===
0}isIn(e){return this.#e.every(t=>t.test(e))}mayBeIn(e){return this.#n.every(t=>t.test(e))}snippet(e){let t=e.search(this.#e[0]),n=bs(e,Math.max(0,t-32)),r=bs(e,
Math.min(e.length,t+140)),i=e.slice(n,r),o=n>0?[{text:"…"}]:[],d=0;for(let c of i.matchAll(this.#t))o.push({text:i.slice(d,c.index)},{text:c[0],isHit:!0}),d=c.
index+c[0].length;return o.push({text:i.slice(d)+(r<e.length?"…":"")}),o.map(c=>({...c,text:c.text.replace(/\s+/g," ")})).filter(c=>c.text!=="")}};function bs(s,e){
return/[\udc00-\udfff]/.test(s.charAt(e))&&e>0?e-1:e}var di=10,vs=200,Ss=262144,ui=8,ci=200,at=class{#e;#t;#n;#s;#r;#o={kept:0,searched:0,bytes:0,stage:"goes on"};#i=0;#d=0;#c=0;constructor(e,t,n,r,i){this.#r=new ot(
e),this.#e=t,this.#t=n,this.#n=r,this.#s=i}async run(){let e=this.#r.isEmpty?[]:this.#e.ids();this.#o.kept=e.length,this.#d=this.#c=this.#t.now();let t=[];for(let n of e){
let r=this.#e.arrival(n);if(r!==void 0)t.push({id:n,arrival:r});else if(!await this.#a(n))return}for(let{id:n,arrival:r}of t)if(this.#f(),await r,!await this.#a(
n))return;this.#o.stage="over",this.#f()}async#a(e){let t=await this.#u(e);return this.#n.aborted?!1:(this.#o.searched++,this.#i+=t.length,this.#i>=vs&&(this.#o.
stage="full"),t.length>0&&this.#f(e,t),this.#o.stage!=="full")}async#u(e){let t=Math.min(di,vs-this.#i);try{let n=this.#e.entries(e);return await(n===void 0?this.#l(
e,t):this.#p(n,t))}catch{return[]}}async#p(e,t){let n=[];for(let r=e.length-1;r>=0&&n.length<t;r--){let i=e[r],o=on(this.#r,{...i,ts:i.endTs??i.startTs});if(o!==
void 0&&n.push(o),!await this.#h())break}return n}async#l(e,t){let n=[],r=await this.#e.folder?.glance(e);if(r===void 0)return n;try{let i=new rt,o=new it(this.#r);
for(let d=r.length;d>0&&n.length<t&&await this.#h();d-=Math.min(Ss,d)){let c=Math.max(0,d-Ss),h=await r.read(c,d-c);if(h.length<d-c)break;this.#o.bytes+=h.length;
for(let g of c===0?[...i.take(h),...i.end()]:i.take(h)){let w=o.take(g);w!==void 0&&n.length<t&&n.push(w)}}}finally{await r.close()}return n}async#h(){let e=this.#t.
now();return e-this.#d>=ui&&(e-this.#c>=ci&&this.#f(),await this.#t.rest(),this.#d=this.#t.now()),!this.#n.aborted}#f(e,t=[]){this.#c=this.#t.now(),this.#s({...e===
void 0?{}:{id:e},hits:t,progress:{...this.#o}})}};var hi=4,dt=class{#e;#t={now:()=>performance.now(),rest:li};#n;#s;#r=new Map;#o=new Set;#i=Promise.resolve();constructor(e){this.#e=e,this.#s=new nt(e.reading),
this.#n=e.folder===void 0?void 0:new st(e.folder,this.#t)}ask(e,t){if(t.type==="drop"){for(let[d,{n:c,end:h}]of this.#r)d.startsWith(`${e}/`)&&c===t.n&&(h.abort(),
this.#r.delete(d));return}let n=t.type==="past"?`${e}/past/${t.id}`:`${e}/${t.type}`;this.#r.get(n)?.end.abort(),this.#r.delete(n);let r=t.type==="past"?[...this.#r].
filter(([d])=>d.startsWith(`${e}/past/`)):[];for(let[d,{end:c}]of r.slice(0,Math.max(0,r.length-hi+1)))c.abort(),this.#r.delete(d);let i=new AbortController;this.#r.
set(n,{n:t.n,end:i});let o=(t.type==="search"?this.#d(e,t,i.signal):this.#i=this.#i.then(()=>this.#c(e,t,i.signal))).finally(()=>{this.#o.delete(o),this.#r.get(
n)?.end===i&&this.#r.delete(n)});this.#o.add(o)}look(){this.#s.look()}leave(e){for(let[t,{end:n}]of this.#r)t.startsWith(`${e}/`)&&(n.abort(),this.#r.delete(t))}async close(){
this.#r.forEach(({end:e})=>e.abort()),this.#r.clear(),await this.settled}get settled(){return Promise.allSettled(this.#o)}async#d(e,{n:t,words:n},r){let{folder:i,
at:o,state:d,known:c,answer:h}=this.#e;await this.#e.ready;let g=m=>(o(m)?.seq??0)>0,w={folder:i,entries:m=>g(m)?d(m)?.entries:void 0,ids:()=>{let m=new Set(i?.
sessions()??[]);return c().filter(O=>m.has(O)||g(O)||this.#e.reading(O)!==void 0)},arrival:m=>this.#s.wait(m,r)};await new at(n,w,this.#t,r,m=>{r.aborted||h(e,{
type:"found",n:t,...m})}).run()}async#c(e,{n:t,id:n,at:r},i){if(i.aborted)return;let o=await this.#a(n,r,i).catch(()=>{});i.aborted||this.#e.answer(e,{type:"pas\
t",n:t,...o===void 0?{}:{state:o}})}async#a(e,t,n){let r=this.#e.at(e),i=r?.epoch===t.epoch&&r.seq===t.seq?this.#e.state(e):void 0;return i!==void 0&&i.sessionId!==
""?z(i):this.#n?.state(e,t,n)}};function li(){return new Promise(s=>{let{port1:e,port2:t}=new MessageChannel;t.onmessage=()=>{e.close(),s()},e.postMessage(null)})}function xs(s){let{port1:e,port2:t}=new MessageChannel,n=!1;return t.onmessage=()=>{n=!1,s()},()=>{n||(n=!0,e.postMessage(null))}}var pi=5e3,ut=class{#e;#t;#n;#s;#r;#o=!1;#i=!1;#d=Promise.resolve();#c;#a;#u=xs(()=>{this.#n.flush(),this.#s.look()});constructor(e,t,n){this.#e=t;let r=cs(o=>{
this.#i=this.#n.link(o,Date.now())||this.#i,this.#u()}),i=new ke({base:location.origin,token:e,fetch:r});this.#t=new Oe(i,{follow:"asked",states:!0,...t===void 0?
{}:{cache:t.folder}}),this.#n=new tt({at:o=>this.#t.at(o),state:o=>this.#x(o)},t===void 0?"memory":"disk",{send:n,glance:o=>{this.#w(o).then(d=>{this.#n.glanced(
o,d),this.#u()})},follow:o=>{this.#t.follow(o).then(()=>{this.#n.opened(o),this.#u()})},unfollow:o=>this.#t.unfollow(o),wake:()=>this.#t.wake()}),this.#a=this.#p(),
this.#s=new dt({folder:t?.folder,at:o=>this.#t.at(o),state:o=>this.#t.state(o),known:()=>this.#n.known,reading:o=>this.#n.reading(o),ready:this.#a,answer:(o,d)=>{
this.#n.answer(o,d),this.#u()}}),this.#c=setInterval(()=>this.#b(),pi),this.#h(),this.#r=this.#l()}async#p(){let e=await this.#e?.roster();e!==void 0&&(this.#n.
list(e.sessions,e.at),this.#u())}async#l(){await this.#a,this.#t.synced.then(()=>this.#y(),()=>{});try{await this.#t.run()}catch(e){this.#n.link("away",Date.now()),
this.#n.refused(fs(e),e instanceof F&&e.status===401),this.#u()}}join(e){this.#s.leave(e),this.#n.join(e),this.#u()}leave(e){this.#s.leave(e),this.#n.leave(e)}ask(e,t){
if(t.type==="search"||t.type==="past"||t.type==="drop")return this.#s.ask(e,t);this.#n.ask(e,t),this.#u()}async close(){clearInterval(this.#c),this.#b(),await this.#t.
close(),await this.#r,await this.#d,await this.#s.close(),await this.#e?.folder.close()}async#h(){try{for await(let e of this.#t.changes())this.#f(e)}catch{}}#f(e){
this.#n.take(e),this.#u(),(e.type==="session"||e.type==="gone")&&(this.#i=!0),e.type==="gone"&&this.#o&&this.#g(e.id)}#y(){let e=this.#t.roster();this.#o=this.#i=
!0,this.#n.list(e),this.#u();let t=new Set(e.map(n=>n.id));for(let n of this.#e?.folder.sessions()??[])t.has(n)||this.#g(n);this.#b()}#g(e){this.#e?.folder.remove(
e).catch(()=>{})}async#w(e){let t=this.#e?.folder;return await t?.storedState(e).catch(()=>{})??(t?.has(e)===!0?"lines":void 0)}#x(e){try{let t=this.#t.state(e);
return t===void 0?void 0:z(t)}catch{return}}#b(){if(this.#i&&this.#o&&this.#e!==void 0){this.#i=!1;let{roster:e,since:t=Date.now()}=this.#n;this.#d=this.#d.then(
()=>this.#e.keepRoster(e,t)).catch(()=>{})}}};function ks(){return crypto.getRandomValues(new Uint32Array(4)).reduce((s,e)=>s+e.toString(16).padStart(8,"0"),"")}var ct=class{#e;#t;#n;#s=new Ae;#r=new AbortController;#o;#i;#d;#c;#a;#u=new Map;#p;#l=Promise.
resolve();constructor(e,t,n){this.#e=e,this.#t=t,this.#n=n,this.#o=t.principal!==""&&navigator.locks!==void 0&&typeof BroadcastChannel<"u",this.#o?this.#f():this.#w(
[{type:"alone"}])}ask(e){this.#i!==void 0?this.#i.ask(this.#e,e):this.#a?.postMessage({tab:this.#e,ask:e})}async close(){clearInterval(this.#p),await this.#i?.close(),
await this.#l,this.#r.abort();for(let e of[this.#d,this.#c,this.#a,...this.#u.values()])e?.close()}#h(e){return dn(this.#t.principal,this.#t.build,e)}#f(){this.#c=
new BroadcastChannel(this.#h(this.#e)),this.#c.onmessage=({data:e})=>"tab"in e?this.#C(e):this.#E(e),this.#d=new BroadcastChannel(this.#h("hall")),this.#d.onmessage=
({data:e})=>{e.type==="leader"?this.#w([{type:"ping"}]):this.#s.role==="leads"&&this.#v(e.tab)},this.#y(this.#h(this.#e),()=>this.#w([{type:"ping"}])),this.#y(this.#h(
"leader"),()=>this.#g({type:"granted"})),this.#p=setInterval(()=>this.#g({type:"tick"}),5e3)}#y(e,t){let{signal:n}=this.#r;navigator.locks.request(e,{signal:n},
()=>(t(),new Promise(r=>n.addEventListener("abort",()=>r())))).catch(()=>{})}#g(e){this.#r.signal.aborted||this.#w(this.#s.step(e))}#w(e){for(let t of e)switch(t.
type){case"ping":this.#d?.postMessage({type:"hello",tab:this.#e});break;case"stop":this.#l=this.#i?.close()??Promise.resolve(),this.#i=void 0;break;case"follow":
this.#a?.close(),this.#a=new BroadcastChannel(this.#h(t.leader)),this.#k("follows"),this.#a.postMessage({tab:this.#e,ask:{type:"join"}});break;case"alone":this.#i=
this.#b(void 0),this.#k("alone"),this.#i.join(this.#e);break;case"lead":this.#x()}}async#x(){this.#a?.close(),this.#a=void 0,await this.#l;let e=await us(this.#t.
principal,this.#t.budget);if(this.#r.signal.aborted){await e?.folder.close();return}this.#i=this.#b(e),this.#k("leads"),this.#i.join(this.#e),this.#d.postMessage(
{type:"leader"})}#b(e){return new ut(this.#t.token,e,(t,n)=>t===this.#e?this.#n(n):this.#u.get(t)?.postMessage({leader:this.#e,batch:n}))}#k(e){this.#n({n:0,told:[
{type:"source",role:e}]})}#v(e){if(this.#i===void 0||e===this.#e)return;let t=this.#u.get(e);t===void 0&&(this.#u.set(e,t=new BroadcastChannel(this.#h(e))),navigator.
locks.request(this.#h(e),{signal:this.#r.signal},()=>this.#m(e)).catch(()=>{})),t.postMessage({leader:this.#e})}#m(e){this.#u.get(e)?.close(),this.#u.delete(e),
this.#i?.leave(e)}#C({tab:e,ask:t}){this.#s.role!=="leads"||!this.#u.has(e)||(t.type==="join"?this.#i?.join(e):this.#i?.ask(e,t))}#E({leader:e,batch:t}){t===void 0?
this.#g({type:"heard",leader:e}):this.#s.role==="follows"&&e===this.#s.leader&&this.#n(t)}};var ht=self,an;ht.onmessage=({data:s})=>{switch(s.type){case"begin":an=new ct(ks(),s,e=>ht.postMessage(e));return;case"close":(an?.close()??Promise.resolve()).finally(
()=>{ht.postMessage("closed"),ht.close()});return;default:an?.ask(s)}};})();
