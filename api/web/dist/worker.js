"use strict";(()=>{var Ae="ringmaster-";function ln(s,e,t){return`${Ae}${s}/${e}/${t}`}var yi=512<<20;var Me=class{role="waits";leader="";#e=0;step(e){switch(e.type){case"granted":return this.#n("leads","",{type:"lead"});case"heard":return this.#e=0,this.role===
"leads"||this.role==="follows"&&e.leader===this.leader?[]:this.#n("follows",e.leader,{type:"follow",leader:e.leader});case"tick":return this.#t()}}#t(){return this.
role==="leads"?[]:this.role!=="alone"&&this.#e++>=(this.role==="waits"?1:9)-1?[...this.#n("alone","",{type:"alone"}),{type:"ping"}]:[{type:"ping"}]}#n(e,t,n){let r=this.
role==="alone"?[{type:"stop"}]:[];return this.role=e,this.leader=t,this.#e=0,[...r,n]}};var me=["user_message","assistant_message","thinking","tool_call","tool_result","plan","compaction","system"];var pn=["starting","idle","queued","responding","retrying","compacting","running_tool","awaiting_approval","awaiting_input","interrupting","completed","terminat\
ed","failed"];function fn(s){return s==="completed"||s==="terminated"||s==="failed"}var mn=["idle","queued","responding","running_tool"],mt=["pending","awaiting\
_approval","running","completed","error"],ge=["completed","interrupted","error"],ye=["user","parent","daemon","agent","lost","budget"],gt=["completed","terminat\
ed","error"],yt=["steer","followUp"],gn=["approval","question","elicitation","caller_tool"],yn=["allowed","denied","answered","failed","cancelled","expired"],wn=[
"read","search","edit","execute","fetch","other"],wt=["ask","allow_reads","allow_all","deny_all"],Ie=["allow","deny","deny_stop","ask"],bt=["warn","pause","inte\
rrupt","end"],bn=["session","tree","owner"],vn=["tokens","costMicros","workMs","turns","toolCalls","children"],Sn=["warned","reached","lifted"],xn=["dispatched",
"cancelled"];var f=class extends Error{name="EventSyntaxError";problem;path;constructor(e,t=""){super(t===""?`event: ${e}`:`event: ${t}: ${e}`),this.problem=e,this.path=t}},
$=class extends Error{name="CursorError";text;constructor(e,t){super(`cursor ${JSON.stringify(e.slice(0,64))}: ${t}`),this.text=e.slice(0,64)}},C=class extends Error{name="\
LineError";line;problem;constructor(e,t,n){super(`line ${e}: ${n===void 0?t:n.message}`,{cause:n}),this.line=e,this.problem=t}},U=class extends Error{name="Fram\
eError";id;problem;constructor(e,t,n){super(`frame ${JSON.stringify(e.slice(0,64))}: ${n===void 0?t:n.message}`,{cause:n}),this.id=e,this.problem=t}};function R(s){return s.epoch>1?`${s.epoch}.${s.seq}`:`${s.seq}`}function re(s){let e=s.indexOf("."),t=e<0?1:On(s.slice(0,e)),n=On(s.slice(e+1));if(t===void 0||t===
0||n===void 0)throw new $(s,"want SEQ or EPOCH.SEQ");if(e>=0&&t===1)throw new $(s,"in epoch 1 the cursor is the bare number");return{epoch:t,seq:n}}function vt(s){
let e=s.lastIndexOf("/");if(e<1)throw new $(s,"want SESSION/CURSOR");return{sessionId:s.slice(0,e),cursor:re(s.slice(e+1))}}function On(s){let e=Number(s);return/^(0|[1-9][0-9]{0,15})$/.
test(s)&&Number.isSafeInteger(e)?e:void 0}var T=16*1024*1024,Re=64,_e=65536,H=class extends Number{source;constructor(e){super(e),this.source=e}toJSON(){return En===void 0?this.valueOf():En(this.source)}},
En=JSON.rawJSON;function St(s,e){let t=qs(s,e),n;try{n=t?JSON.parse(s,Ts):JSON.parse(s)}catch{throw new f("no JSON")}if(!xt(n))throw new f("want an object");return n}
function xt(s){return typeof s=="object"&&s!==null&&!Array.isArray(s)&&!(s instanceof H)}function Ts(s,e,t){let n=t?.source;return typeof e=="number"&&n!==void 0&&
String(e)!==n?new H(n):e}var D=-1;function qs(s,e){if(!s.isWellFormed())throw new f("unpaired surrogate");let t=!1;D=s.indexOf("\\");let n=0,r=[];for(let i=0;i<
s.length;){let o=s.charCodeAt(i);if(o===As){let d=s.indexOf('"',i+1),c=D>=0&&D<d;if(c&&(d=js(s,i+1)),d<0)break;let h=r[r.length-1],g=h===void 0?d+1:Ns(s,d+1);if(h!==
void 0&&s.charCodeAt(g)===Ms){if(n===_e)throw new f("too many members");n++,h.push(c?Fs(s.slice(i,d+1)):s.slice(i+1,d))}i=g}else if(o===Cn||o===Rs){if(r.length===
e)throw new f("nested too deep");r.push(o===Cn?[]:void 0),i++}else if(o===Is||o===_s){let d=r.pop();d!==void 0&&(n-=d.length,$s(d)),i++}else if(o===Tn||o>=kt&&o<=
Ot){let d=Us(s,i);t||=!Ds(s,i,d),i=d}else i++}return t}var As=34,Ms=58,Cn=123,Is=125,Rs=91,_s=93,Tn=45,kt=48,Ot=57,Ls=92;function Ns(s,e){for(;;){let t=s.charCodeAt(
e);if(t!==32&&t!==9&&t!==10&&t!==13)return e;e++}}function js(s,e){let t=-1;for(;;){if(t<e&&(t=s.indexOf('"',e)),t<0)return-1;if(D>=0&&D<e&&(D=s.indexOf("\\",e)),
D<0||D>t)return t;let n=D+1,r=Pn(s,n);if(e=n+1,r!==0){if(r!==1||s.charCodeAt(n+5)!==Ls||Pn(s,n+6)!==2)throw new f("unpaired surrogate");e=n+11}}}function Pn(s,e){
return s.charCodeAt(e)!==117||!/^[dD][89a-fA-F]/.test(s.slice(e+1,e+3))?0:/[89abAB]/.test(s.charAt(e+2))?1:2}function Fs(s){try{return JSON.parse(s)}catch{throw new f(
"no JSON")}}function $s(s){if(s.length>16){if(new Set(s).size<s.length)throw new f("duplicate key");return}for(let e=1;e<s.length;e++)if(s.indexOf(s[e])<e)throw new f(
"duplicate key")}function Us(s,e){for(e++;e<s.length;e++){let t=s.charCodeAt(e);if((t<kt||t>Ot)&&t!==46&&t!==101&&t!==69&&t!==43&&t!==Tn)break}return e}function Ds(s,e,t){
let n=e;for(;n<t&&s.charCodeAt(n)>=kt&&s.charCodeAt(n)<=Ot;)n++;if(n===t&&t-e<16)return!0;let r=s.slice(e,t);return String(Number(r))===r}function b(s){return{members:Object.entries(s),open:!0}}function p(s){return{members:Object.entries(s),open:!1}}function Q(s,e){return{kind:s,must:!0,keep:!0,...e}}
function q(s,e){return{kind:s,must:!1,keep:!1,...e}}var u={string:Q("string"),integer:Q("integer"),natural:Q("natural"),number:Q("number"),word:s=>Q("string",{words:s}),
object:s=>Q("object",{shape:s}),delta:Q("delta"),data:Q("data")},a={string:q("string"),integer:q("integer"),natural:q("natural"),boolean:q("boolean"),strings:q(
"strings"),lists:q("lists"),word:s=>q("string",{words:s}),objects:s=>q("objects",{shape:s})},l={string:q("string",{keep:!0}),integer:q("integer",{keep:!0}),map:q(
"map",{keep:!0}),any:q("any",{keep:!0}),object:s=>q("object",{keep:!0,shape:s})};function V(s,e,t,n="",r=_e){for(let[i,o]of e.members){let d=s[i];if(d==null){if(o.
must)throw new f("missing",`${n}/${i}`);d===null&&delete s[i];continue}switch(o.kind){case"string":if(typeof d!="string")throw new f("want a string",`${n}/${i}`);
break;case"boolean":if(typeof d!="boolean")throw new f("want true or false",`${n}/${i}`);break;case"integer":case"natural":if((typeof d!="number"||!Number.isSafeInteger(
d))&&(s[i]=Bs(d,`${n}/${i}`)),o.kind==="natural"&&s[i]<0)throw new f("want a non-negative integer",`${n}/${i}`);break;case"number":if(typeof d!="number"&&!(d instanceof
H)||!Number.isFinite(Number(d)))throw new f("want a number",`${n}/${i}`);s[i]=Number(d);break;case"any":break;default:Ws(s,i,o,t,`${n}/${i}`,r)}}}function Ws(s,e,t,n,r,i){
let o=s[e];switch(t.kind){case"strings":qn(o,r,i);return;case"lists":for(let[d,c]of Ct(o,r,i).entries())qn(c,`${r}/${d}`,i);return;case"objects":for(let[d,c]of Ct(
o,r,i).entries())V(Et(c,`${r}/${d}`),t.shape,n,`${r}/${d}`,i);return;case"map":for(let d of Object.values(Et(o,r)))if(typeof d!="string")throw new f("want an ob\
ject of strings",r);return;default:{let d=Et(o,r);if(t.kind==="delta"&&typeof d.op!="string")throw new f(d.op==null?"missing":"want a string",`${r}/op`);let c=Pt(
s,d,t,n);c!==void 0&&V(d,c,n,r,i)}}}function Pt(s,e,t,n){switch(t.kind){case"delta":return n.delta(e.op);case"data":return n.data(s.entryType);default:return t.
shape}}function Bs(s,e){if(s instanceof H&&/^-?[0-9]+$/.test(s.source)&&Number.isSafeInteger(s.valueOf()))return s.valueOf()+0;throw new f("want an integer of a\
t most 2^53-1",e)}function Et(s,e){if(!xt(s))throw new f("want an object",e);return s}function Ct(s,e,t){if(!Array.isArray(s)||s.length>t)throw new f(`want an a\
rray of at most ${t} elements`,e);return s}function qn(s,e,t){for(let n of Ct(s,e,t))if(typeof n!="string")throw new f("want an array of strings",e)}var In=p({seq:u.natural,ts:u.integer,type:u.string}),zs=b({tool:a.string,pattern:a.string,action:u.word(Ie)}),Le=b({mode:a.word(wt),rules:a.objects(zs),deadline:a.
integer,default:a.word(Ie)}),An=b({tokens:a.integer,costMicros:a.integer,workMs:a.integer,turns:a.integer,toolCalls:a.integer,children:a.integer}),Ne=b({session:l.
object(An),tree:l.object(An),action:a.word(bt),warnAt:a.integer}),Tt=b({model:a.string,cwd:a.string,gitBranch:a.string,gitCommit:a.string,title:a.string,labels:l.
map,parentSessionId:a.string,subAgent:a.boolean,spawned:a.boolean,mcp:a.boolean,owner:a.string,via:a.string,policy:l.object(Le),budget:l.object(Ne)}),qt=b({text:u.
string,images:a.strings,streamingBehavior:a.word(yt),promptId:a.string,clientId:a.string}),Rn=b({id:u.string,label:a.string,description:a.string}),Js=b({text:u.
string,header:a.string,options:a.objects(Rn),multiple:a.boolean,freeText:a.boolean,prefill:a.string}),oe=b({inputTokens:u.integer,cachedInputTokens:u.integer,outputTokens:u.
integer,reasoningOutputTokens:a.integer,totalTokens:u.integer}),At=b({input:u.number,output:u.number,cacheRead:u.number,total:u.number,estimated:a.boolean}),ie={
truncated:a.boolean,bytes:a.integer},Mn=b({role:u.string,text:u.string,images:a.strings,...ie}),Ks=b({text:u.string,status:a.string}),Gs={user_message:Mn,assistant_message:Mn,
thinking:b({text:u.string,summary:a.strings,...ie}),tool_call:b({toolName:u.string,callId:u.string,arguments:a.string,command:a.string,cwd:a.string,status:u.word(
mt),output:a.string,exitCode:l.integer,durationMs:l.integer,diff:a.string,...ie}),tool_result:b({callId:u.string,output:u.string,isError:a.boolean,...ie}),plan:b(
{text:a.string,steps:a.objects(Ks)}),compaction:b({summary:u.string,trigger:a.string,tokensBefore:a.integer,...ie}),system:b({text:u.string,level:a.string,kind:a.
string,native:l.any,...ie})},Hs={text_append:b({op:u.word(),text:u.string,contentIndex:l.integer}),text_set:b({op:u.word(),text:u.string}),arguments_append:b({op:u.
word(),text:u.string}),status_change:b({op:u.word(),status:u.word(mt),output:a.string,exitCode:l.integer}),summary_append:b({op:u.word(),summaryIndex:u.integer,
text:u.string})},Mt={childSessionId:u.string,entryId:a.string,title:a.string,nativeSessionId:a.string,turnId:a.string,turnStatus:a.word(ge),cause:a.word(ye),ended:a.
word(gt)},It={requestId:u.string,kind:u.word(gn),turnId:a.string,entryId:a.string,sessionId:a.string,toolName:a.string,toolKind:a.word(wn),subject:a.string,cwd:a.
string,title:u.string,text:a.string,diff:a.string,diffTruncated:a.boolean,diffBytes:a.integer,options:a.objects(Rn),questions:a.objects(Js),callerId:a.string,arguments:a.
string,deadline:a.integer,default:a.word(Ie),guarded:a.boolean},Rt={promptId:u.string,text:u.string,images:a.strings,streamingBehavior:a.word(yt),clientId:a.string,
idempotencyKey:a.string,origin:a.string,notifySessionId:a.string},P={session_start:p({sessionId:u.string,agentBackend:u.string,metadata:u.object(Tt)}),session_end:p(
{reason:u.word(gt),error:a.string,hint:a.string}),session_meta:p({title:l.string,titleGiven:a.boolean,model:l.string,mode:l.string,pendingModel:l.string,pendingMode:l.
string,nativeSessionId:l.string,agentVersion:l.string,labels:l.map,capabilities:a.strings,policy:l.object(Le),budget:l.object(Ne)}),child_session:p(Mt),epoch:p(
{epoch:u.natural,reason:u.string}),turn_start:p({turnId:u.string,prompt:l.object(qt)}),turn_end:p({turnId:u.string,status:u.word(ge),cause:a.word(ye),error:a.string,
hint:a.string}),entry_start:p({turnId:a.string,entryId:u.string,entryType:u.word(me),data:u.data,persistentId:a.string,round:a.integer}),entry_delta:p({entryId:u.
string,delta:u.delta}),entry_end:p({turnId:a.string,entryId:u.string,entryType:u.word(me),data:u.data,persistentId:a.string,incomplete:a.boolean,reason:a.string}),
entry_meta:p({entryId:u.string,persistentId:u.string}),request_opened:p(It),request_resolved:p({requestId:u.string,outcome:u.word(yn),option:a.string,answers:a.
lists,message:a.string,by:u.string,rule:a.integer,mode:a.word(wt)}),prompt_queued:p(Rt),prompt_moved:p({promptId:u.string,before:a.string}),prompt_removed:p({promptId:u.
string,reason:u.word(xn),error:a.string}),token_usage:p({turnId:a.string,usage:u.object(oe),sessionTotal:l.object(oe),cost:l.object(At),model:a.string}),status:p(
{state:u.word(pn),agentStatus:u.word(mn),toolName:a.string,queuedPrompts:a.integer,stalled:a.boolean,retryAt:a.integer}),budget:p({scope:u.word(bn),of:a.string,
limit:u.word(vn),state:u.word(Sn),spent:u.integer,max:u.integer,action:a.word(bt)})},Qs=new Map(Object.entries(P)),Vs=new Map(Object.entries(Hs)),Xs=new Map(Object.
entries(Gs));function _n(s){return Qs.get(s)}var W={delta:s=>Vs.get(s),data:s=>Xs.get(s)};var Zs=p({turnId:u.string,status:a.word(ge),cause:a.word(ye),error:a.string,hint:a.string,prompt:l.object(qt),startSeq:u.natural,startTs:u.integer,endSeq:a.natural,
endTs:a.integer,entries:a.strings,usage:l.object(oe)}),Ys=p({entryId:u.string,entryType:u.word(me),turnId:a.string,round:a.integer,persistentId:a.string,open:a.
boolean,incomplete:a.boolean,reason:a.string,startSeq:u.natural,startTs:u.integer,endSeq:a.natural,endTs:a.integer,data:u.data}),er=p({...It,openedSeq:u.natural,
openedTs:u.integer,resolved:l.object(P.request_resolved),resolvedSeq:a.natural,resolvedTs:a.integer}),tr=p({...Rt,seq:u.natural,ts:u.integer}),nr=p({...Mt,seq:u.
natural,ts:u.integer}),sr=p({sum:u.object(oe),reported:l.object(oe),cost:l.object(At)}),rr=p({totalTokens:u.integer,inputTokens:u.integer,cachedInputTokens:u.integer,
outputTokens:u.integer,reasoningOutputTokens:a.integer,costMicros:u.integer,estimatedMicros:a.integer,turns:u.integer,toolCalls:u.integer,children:u.integer,workMs:u.
integer,workingSince:a.integer}),_t=p({file:u.string,offset:a.integer,seq:a.natural,problem:u.string,hint:a.string}),ir=p({turns:u.natural,entries:u.natural,requests:u.
natural}),or=p({from:u.natural,oldest:u.natural,told:u.object(ir)}),ae=p({sessionId:u.string,agentBackend:u.string,metadata:u.object(Tt),title:a.string,model:a.
string,mode:a.string,pendingModel:a.string,pendingMode:a.string,nativeSessionId:a.string,agentVersion:a.string,labels:l.map,capabilities:a.strings,policy:l.object(
Le),budget:l.object(Ne),epoch:u.natural,seq:u.natural,ts:u.integer,status:l.object(P.status),end:l.object(P.session_end),turns:a.objects(Zs),entries:a.objects(Ys),
requests:a.objects(er),queue:a.objects(tr),children:a.objects(nr),usage:u.object(sr),spent:l.object(rr),marks:a.objects(P.budget),damage:l.object(_t),part:l.object(
or)});var Lt=new Map([["heartbeat",p({seq:u.natural,ts:u.integer})],["reset",p({epoch:u.natural,oldest:u.natural,newest:u.natural,common:a.natural})],["damage",_t],["\
overflow",p({entryId:u.string,ts:u.integer,offset:u.natural,delta:u.delta})]]);function X(s,e,t){let n={};for(let[r,i]of e.members){let o=s[r];o!==void 0&&(i.keep||!ar(o))&&(n[r]=dr(s,o,i,t))}if(e.open)for(let r of Object.keys(s))jn(e,r)||
Ln(n,r,s[r]);return n}function B(s,e){let t={};for(let[n]of e.members){let r=s[n];r!==void 0&&(t[n]=r)}return t}function Ln(s,e,t){e==="__proto__"?Object.defineProperty(
s,e,{value:t,writable:!0,enumerable:!0,configurable:!0}):s[e]=t}function Nn(s){let e=JSON.stringify(s);return/[\u007f-\u009f\u2028\u2029]/.test(e)&&(e=e.replace(
/[\u007f-\u009f\u2028\u2029]/g,t=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)),(e.includes("\\b")||e.includes("\\f"))&&(e=e.replace(/\\./g,t=>t==="\\b"?
"\\u0008":t==="\\f"?"\\u000c":t)),e}function jn(s,e){return s.members.some(([t])=>t===e)}function ar(s){return s===""||s===0||s===!1||Array.isArray(s)&&s.length===
0}function dr(s,e,t,n){switch(t.kind){case"strings":return[...e];case"objects":return e.map(r=>X(r,t.shape,n));case"object":case"delta":case"data":{let r=e,i=Pt(
s,r,t,n);return i===void 0?{...r}:X(r,i,n)}default:return e}}function _(s){return $n(Fn(s))}function Nt(s){let e=Fn(s),t=typeof e.type=="string"?Lt.get(e.type):void 0;return t===void 0?$n(e):(V(e,t,W),e)}function we(s){return Lt.
has(s.type)}function z(s){return Nn(X(s,ae,W))}function Z(s){let e=St(s,Re+2);return V(e,ae,W,"",1/0),e}function Fn(s){if(s.length>T||s.length*3>T&&new TextEncoder().encode(
s).length>T)throw new f("longer than the limit");return St(s,Re)}function $n(s){if(V(s,In,W),s.seq===0)throw new f("want a number from 1","/seq");let e=_n(s.type);
return e!==void 0&&V(s,e,W),s}var de=class{#e;#t;#n=[];#s=0;#r=!1;constructor(e,t){this.#e=e,this.#t=t}get isTorn(){return this.#s>0}push(e){let t=[],n=0;this.#r&&e.length>0&&(this.#r=!1,n=e[0]===
10?1:0);let r=this.#t==="any"?e.indexOf(13,n):-1;for(;;){let i=e.indexOf(10,n),o=r>=0&&(i<0||r<i),d=o?r:i;if(d<0)break;t.push(this.#i(e.subarray(n,d))),n=d+1,o&&
(n===e.length?this.#r=!0:e[n]===10&&n++,r=e.indexOf(13,n))}return this.#a(e.subarray(n)),t}#i(e){let t=this.#s+e.length,n=this.#n;if(this.#n=[],this.#s=0,t>this.#e)
return;if(n.length===0)return e;let r=new Uint8Array(t),i=0;for(let o of[...n,e])r.set(o,i),i+=o.length;return r}#a(e){e.length!==0&&(this.#s+=e.length,this.#s>
this.#e?this.#n=[]:this.#n.push(e.slice()))}};var L=class{#e;#t=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#n=0;constructor(e=T){this.#e=new de(e,"lf")}push(e){let t=[];for(let n of this.#e.push(e)){let r=this.#s(
++this.#n,n);r!==void 0&&t.push(r)}return t}end(){return this.#e.isTorn?new C(this.#n+1,"torn"):void 0}#s(e,t){if(t===void 0)return new C(e,"too long");if(!t.every(
n=>n===13))try{return{number:e,text:this.#t.decode(t)}}catch{return new C(e,"invalid UTF-8")}}};var ur=1440*60*1e3,Y=class{#e;#t;#n=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#s=new TextDecoder("utf-8",{ignoreBOM:!0});#r=!1;#i=[];#a=0;#o="";#c="";#d;#u="";#l;constructor(e=T+
64){this.#e=e,this.#t=new de(e,"any")}get lastEventId(){return this.#u}get retry(){return this.#l}push(e){let t=[];for(let n of this.#t.push(e))n===void 0?(this.#d=
"too long",this.#r=!0):this.#h(n,t);return t}#h(e,t){if(this.#r||(this.#r=!0,e[0]===239&&e[1]===187&&e[2]===191&&(e=e.subarray(3))),e.length>0){this.#p(e);return}
this.#u=this.#c,this.#d!==void 0?t.push(new U(this.#u,this.#d)):this.#i.length>0&&t.push({id:this.#u,name:this.#o,data:this.#i.join(`
`)}),this.#i=[],this.#a=0,this.#o="",this.#d=void 0}#p(e){let t,n=!0;try{t=this.#n.decode(e)}catch{t=this.#s.decode(e),n=!1}let r=t.indexOf(":"),i=r<0?t:t.slice(
0,r),o=r<0?t.length:t[r+1]===" "?r+2:r+1,d=t.slice(o);switch(i){case"data":this.#a+=e.length-o+1,n||(this.#d??="invalid UTF-8"),this.#a>this.#e&&(this.#d="too l\
ong"),this.#d===void 0?this.#i.push(d):this.#i=[];break;case"event":this.#o=d;break;case"id":d.includes("\0")||(this.#c=d);break;case"retry":/^[0-9]+$/.test(d)&&
(this.#l=Math.min(Number(d),ur));break}}};function cr(s){switch(s){case"user_message":case"assistant_message":case"thinking":case"plan":case"system":return"text";case"tool_call":case"tool_result":return"\
output";case"compaction":return"summary"}}function Un(s,e){s.entryType=e.entryType,s.data={...e.data},s.entryType==="thinking"&&s.data.summary!==void 0&&(s.data.summary=[...s.data.summary]),e.persistentId&&
(s.persistentId=e.persistentId)}function Dn(s,e){let t=cr(s.entryType),n=s.data;switch(e.op){case"text_append":t!==void 0&&(n[t]=(n[t]??"")+e.text);break;case"t\
ext_set":t!==void 0&&(n[t]=e.text);break;case"arguments_append":s.entryType==="tool_call"&&(s.data.arguments=(s.data.arguments??"")+e.text);break;case"status_ch\
ange":s.entryType==="tool_call"&&hr(s.data,e);break;case"summary_append":s.entryType==="thinking"&&pr(s.data,e.summaryIndex,e.text);break}}function hr(s,e){s.status=
e.status,e.output&&(s.output=(s.output??"")+e.output),e.exitCode!==void 0&&(s.exitCode=e.exitCode)}var lr=1024;function pr(s,e,t){if(e<0||e>=lr)return;let n=s.summary??=
[];for(;n.length<=e;)n.push("");n[e]+=t}var jt=Number.MAX_SAFE_INTEGER;function Wn(){return{totalTokens:0,inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,costMicros:0,estimatedMicros:0,
turns:0,toolCalls:0,children:0,workMs:0,workingSince:0}}function Bn(s,e,t,n){let r={...s};switch(e.type){case"turn_start":ue(s,e.ts),s.workingSince=e.ts;break;case"\
turn_end":s.turns=N(s.turns,1),e.cause!=="daemon"&&ue(s,e.ts),s.workingSince=0;break;case"status":ue(s,e.ts),e.state==="awaiting_approval"||e.state==="awaiting_\
input"?s.workingSince=0:t&&(s.workingSince=e.ts);break;case"entry_start":ue(s,e.ts);break;case"entry_end":e.entryType==="tool_call"&&(s.toolCalls=N(s.toolCalls,
1)),e.incomplete||ue(s,e.ts);break;case"child_session":n&&(s.children=N(s.children,1));break;case"token_usage":ue(s,e.ts),fr(s,e);break;case"session_end":s.workingSince=
0;break}return Object.keys(s).some(i=>(s[i]??0)!==(r[i]??0))}function ue(s,e){let t=s.workingSince??0;t!==0&&e>t&&(s.workMs=N(s.workMs,e-t),s.workingSince=e)}function fr(s,e){
if(s.totalTokens=N(s.totalTokens,e.usage.totalTokens),s.inputTokens=N(s.inputTokens,e.usage.inputTokens),s.cachedInputTokens=N(s.cachedInputTokens,e.usage.cachedInputTokens),
s.outputTokens=N(s.outputTokens,e.usage.outputTokens),s.reasoningOutputTokens=N(s.reasoningOutputTokens??0,e.usage.reasoningOutputTokens??0),e.cost!==void 0){let t=mr(
e.cost);s.costMicros=N(s.costMicros,t),e.cost.estimated&&(s.estimatedMicros=N(s.estimatedMicros??0,t))}}function mr(s){let e=s.total*1e6;return e>0?Math.min(Math.
floor(e+.5),jt):0}function N(s,e){return Math.min(s+Math.min(Math.max(e,0),jt),jt)}function Ft(){return{inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,totalTokens:0}}function $t(s,e){s.inputTokens=be(s.inputTokens,e.inputTokens),
s.cachedInputTokens=be(s.cachedInputTokens,e.cachedInputTokens),s.outputTokens=be(s.outputTokens,e.outputTokens),s.reasoningOutputTokens=be(s.reasoningOutputTokens??
0,e.reasoningOutputTokens??0),s.totalTokens=be(s.totalTokens,e.totalTokens)}function zn(){return{input:0,output:0,cacheRead:0,total:0}}function Jn(s,e){s.input=
je(s.input,e.input),s.output=je(s.output,e.output),s.cacheRead=je(s.cacheRead,e.cacheRead),s.total=je(s.total,e.total),s.estimated=!!s.estimated||!!e.estimated}
function je(s,e){return Number.isFinite(s+e)?s+e:s}function be(s,e){return Math.max(Math.min(s+e,Number.MAX_SAFE_INTEGER),-Number.MAX_SAFE_INTEGER)}var ee=2,j=class s{state={sessionId:"",agentBackend:"",metadata:{},epoch:0,seq:0,ts:0,turns:[],entries:[],requests:[],queue:[],children:[],marks:[],usage:{sum:Ft()}};#e=new Map;#t=new Map;#n=new Map;constructor(e){
if(e!==void 0){let{damage:t,part:n,...r}=X(e,ae,W);Object.assign(this.state,r)}this.#s()}#s(){for(let e of this.state.turns)this.#e.set(e.turnId,e);for(let e of this.
state.entries)this.#t.set(e.entryId,e);for(let e of this.state.requests)this.#n.set(e.requestId,e)}static of(e){let t=new s,{damage:n,part:r,...i}=e;return Object.
assign(t.state,i),t.#s(),t}apply(e){let t=this.state;if(e.seq<=t.seq)return!1;switch(t.seq=e.seq,t.ts=e.ts,t.epoch=Math.max(t.epoch,1),this.#o(e),e.type){case"s\
ession_start":this.#r(e);break;case"session_end":this.#i(e);break;case"session_meta":this.#a(e);break;case"child_session":this.#c(e);break;case"epoch":t.epoch=Math.
max(t.epoch,e.epoch);break;case"turn_start":this.#d(e,e.turnId).prompt=e.prompt;break;case"turn_end":this.#u(e);break;case"entry_start":this.#h(e);break;case"en\
try_delta":{let n=this.#t.get(e.entryId);n?.open&&Dn(n,e.delta);break}case"entry_end":this.#p(e);break;case"entry_meta":{let n=this.#t.get(e.entryId);n!==void 0&&
(n.persistentId=e.persistentId);break}case"request_opened":this.#f(e);break;case"request_resolved":this.#v(e);break;case"prompt_queued":this.#g(e.promptId),t.queue.
push({...B(e,P.prompt_queued),seq:e.seq,ts:e.ts});break;case"prompt_moved":this.#S(e);break;case"prompt_removed":this.#g(e.promptId);break;case"token_usage":this.#w(
e);break;case"status":t.status=B(e,P.status),fn(e.state)||(t.end=void 0);break;case"budget":this.#y(e);break}return!0}get cursor(){return{epoch:Math.max(this.state.
epoch,1),seq:this.state.seq}}get openRequests(){return this.state.requests.filter(e=>e.resolved===void 0)}turn(e){return this.#e.get(e)}entry(e){return this.#t.
get(e)}request(e){return this.#n.get(e)}toJSON(){return X(this.state,ae,W)}#r(e){let{sessionId:t,agentBackend:n,metadata:r}=e,{title:i,model:o,labels:d,policy:c,
budget:h}=r;Object.assign(this.state,{sessionId:t,agentBackend:n,metadata:r,title:i,model:o,labels:d,policy:c,budget:h})}#i(e){this.state.end=B(e,P.session_end);
for(let t of this.state.entries)t.open&&(t.incomplete=!0)}#a(e){let{titleGiven:t,...n}=B(e,P.session_meta);Object.assign(this.state,n)}#o(e){if(e.type==="entry_\
delta")return;let t=this.state,n=e.type==="child_session"&&!t.children.some(o=>o.childSessionId===e.childSessionId),r=t.turns.at(-1),i=t.spent??Wn();Bn(i,e,r!==
void 0&&!r.endSeq,n)&&(t.spent=i)}#c(e){let{children:t}=this.state,n=t.findIndex(d=>d.childSessionId===e.childSessionId),{seq:r,ts:i}=t[n]??e,o={...B(e,P.child_session),
seq:r,ts:i};t.splice(n<0?t.length:n,1,o)}#d(e,t){let n=this.#e.get(t);return n===void 0&&(n={turnId:t,startSeq:e.seq,startTs:e.ts,entries:[]},this.#e.set(t,n),this.
state.turns.push(n)),n}#u(e){let{status:t,cause:n,error:r,hint:i}=e;Object.assign(this.#d(e,e.turnId),{status:t,cause:n,error:r,hint:i,endSeq:e.seq,endTs:e.ts})}#l(e){
let t=this.#t.get(e.entryId);if(t===void 0){let{entryId:n,turnId:r,entryType:i,data:o}=e;t={entryId:n,turnId:r,startSeq:e.seq,startTs:e.ts,entryType:i,data:o},this.#t.
set(n,t),this.state.entries.push(t),r&&(this.#d(e,r).entries??=[]).push(n)}return Un(t,e),t}#h(e){Object.assign(this.#l(e),{open:!0,incomplete:!1,reason:void 0,
round:e.round,endSeq:void 0,endTs:void 0})}#p(e){Object.assign(this.#l(e),{open:!1,incomplete:e.incomplete,reason:e.reason,endSeq:e.seq,endTs:e.ts})}#f(e){let{requests:t}=this.
state,n=this.#n.get(e.requestId),r={...B(e,P.request_opened),openedSeq:e.seq,openedTs:e.ts};t.splice(n===void 0?t.length:t.indexOf(n),1,r),this.#n.set(e.requestId,
r)}#v(e){let t=this.#n.get(e.requestId);t!==void 0&&t.resolved===void 0&&Object.assign(t,{resolved:B(e,P.request_resolved),resolvedSeq:e.seq,resolvedTs:e.ts})}#y(e){
let t=B(e,P.budget),n=[...this.state.marks],r=n.findIndex(i=>i.scope===t.scope&&(i.of??"")===(t.of??"")&&i.limit===t.limit);t.state!=="lifted"?n.splice(r<0?n.length:
r,1,t):r>=0&&n.splice(r,1),this.state.marks=n}#g(e){this.state.queue=this.state.queue.filter(t=>t.promptId!==e)}#S(e){let{queue:t}=this.state,n=e.before??"",r=t.
find(d=>d.promptId===e.promptId);if(r===void 0||e.promptId===n)return;let i=t.filter(d=>d!==r),o=i.findIndex(d=>d.promptId===n);i.splice(o<0?i.length:o,0,r),this.
state.queue=i}#w(e){let{usage:t}=this.state;$t(t.sum,e.usage),t.reported=e.sessionTotal??t.reported,e.cost!==void 0&&Jn(t.cost??=zn(),e.cost);let n=this.#e.get(
e.turnId??"");n!==void 0&&$t(n.usage??=Ft(),e.usage)}};var Kn={now:()=>performance.now(),after:(s,e)=>{let t=setTimeout(e,s);return()=>clearTimeout(t)},random:Math.random};function ce(s,e,t){return new Promise((n,r)=>{
if(t?.aborted){r(t.reason);return}let i=()=>{o(),r(t.reason)},o=s.after(e,()=>{t?.removeEventListener("abort",i),n()});t?.addEventListener("abort",i,{once:!0})})}var F=class extends Error{name="Problem";code;status;title;detail;hint;errors;lookAt;retryAfterMs;body;constructor(e,t=0){super(e.detail??e.title),this.body=e,this.
code=e.code,this.status=e.status,this.title=e.title,this.detail=e.detail??"",this.hint=e.hint??"",this.errors=e.errors??[],this.lookAt=e.lookAt??"",this.retryAfterMs=
t}},S=class extends Error{name="Unreachable";where;sent;hint="start one with: ringmaster up, or name another address";constructor(e,t,n){let r=n instanceof Error?
`: ${n.message}`:"";super(n===void 0?`no daemon runs for ${e}`:`no daemon answers at ${e}${r}`,{cause:n}),this.where=e,this.sent=t}},w=class extends Error{name="\
UnexpectedAnswer"};function te(s){return s instanceof F?s.code==="overloaded"||s.code==="unavailable":s instanceof S}var gr=new Set(["ECONNREFUSED","ENOENT","EN\
OTFOUND","EAI_AGAIN","EHOSTUNREACH","ENETUNREACH","EACCES","UND_ERR_CONNECT_TIMEOUT"]);function Gn(s,e){let t=e instanceof Error&&e.cause instanceof Error?e.cause:
e,n=t instanceof Error&&"code"in t?String(t.code):"";return new S(s,!gr.has(n),t)}function J(s,e,t){let n=s>1?Math.min(250*2**Math.min(s-2,10),3e4)/2:0,r=Math.max(n,e/2);return Math.floor(Math.max(n,e)+t*r)}var ve=class{size=0;isAsked=!1;isUsed=!1;#e;#t=0;#n=0;constructor(e){this.#e=e}add(e){this.behind(this.#t+e.count,this.#n+e.bytes)}behind(e,t){this.#t=e,this.#n=
t}get isDue(){return this.#e>0&&this.#t>=this.#e&&this.#n>=this.size}get isWorthwhile(){return this.#e>0&&this.#t>0&&this.#n>=Math.floor(this.size/8)}ask(e){return this.
behind(0,0),this.isAsked=!0,{type:"save",at:e}}drop(){this.behind(0,0),this.size=0,this.isAsked=this.isUsed=!1}};var A=class{#e={epoch:1,seq:0};#t=[];#n=0;add(e,t){this.#e=e,this.#t.push(t),this.#n+=yr(t)+1}get isEmpty(){return this.#t.length===0}get count(){return this.#t.
length}get bytes(){return this.#n}get store(){return{type:"store",at:this.#e,lines:this.#t}}};function yr(s){let e=s.length;for(let t=0;t<s.length;t++){let n=s.
charCodeAt(t);n>=128&&(e+=n>=2048&&(n<55296||n>57343)?2:1)}return e}function Hn(s){let e=s.index;return e!==void 0&&e.epoch>0&&e.seq>0&&e.length>0&&s.file.length>=e.length&&s.file.whole&&s.file.seq===e.seq&&s.file.sum===e.sum}function Fe(s,e){
return s.epoch===e.epoch&&s.seq>0&&s.length>0&&s.seq<=e.seq&&s.length<=e.length&&s.seq===e.seq==(s.length===e.length)}var ne={epoch:1,seq:0},Se=Number.MAX_SAFE_INTEGER;function Qn(s,e){return{epoch:Math.max(s,1),seq:Math.max(e,1)-1}}function Ut(s,e,t){return s.seq>0&&(s.seq===Se||
e.epoch<s.epoch||e.epoch>s.epoch&&e.seq<t)}var wr=65536,$e=class{at=ne;#e=0;#t=!1;#n=new A;#s=new A;#r=!1;#i=new ve(0);#a=!1;#o;constructor(e){this.#o=e}get cached(){return this.#t}begin(e){this.#a=this.#i.
isUsed,this.#i.isUsed=!1,e&&(this.#i.isAsked=!1,this.#s.isEmpty||(this.#s=new A,this.#r=!1))}open(e){this.at=ne,this.#e=0,this.#t=e.cached,this.#n=new A,this.#i=
new ve(e.saveEvery??0),e.cached?Hn(e)?this.#c(e):e.index!==void 0?(this.#o({type:"drop"}),this.#o({type:"tell",notice:"cache_dropped"})):(e.file.length>0||e.checkpoint!==
void 0)&&this.#o({type:"drop"}):e.since!==void 0&&e.since.seq>0&&(this.at=e.since)}#c(e){let t=e.index;e.file.length>t.length&&this.#o({type:"cut",length:t.length});
let n=0,r=0;this.#i.behind(t.seq,t.length),e.checkpoint!==void 0&&(Fe(e.checkpoint,t)?(n=e.checkpoint.length,r=e.checkpoint.seq,this.#i.behind(t.seq-r,t.length-
n),this.#i.size=e.checkpoint.size,this.#i.isUsed=!0):this.#o({type:"drop_checkpoint"})),this.#o({type:"read",from:n,after:r}),this.at={epoch:t.epoch,seq:t.seq}}show(e,t){
this.at=e,this.#o({type:"show",at:e,line:t}),this.#t&&(this.#n.add(e,t),this.#n.bytes>=wr&&this.store())}store(){this.#n.isEmpty||(this.#s=this.#n,this.#n=new A,
this.#o(this.#s.store),this.#i.add(this.#s),this.#i.isDue&&this.#o(this.#i.ask(this.at)))}leave(){this.store(),this.#t&&this.#i.isWorthwhile&&this.#o(this.#i.ask(
this.at))}saved(e){this.#i.size=e}readAnew(){return this.#a?(this.#i.drop(),this.#i.behind(this.at.seq,0),this.#o({type:"forget"}),this.#o({type:"drop_checkpoin\
t"}),this.#o({type:"read",from:0,after:0}),!0):!1}storeFailed(){if(!this.#s.isEmpty){if(this.#i.size>0){this.#i.drop(),this.#o({type:"drop_checkpoint"}),this.#o(
this.#s.store);return}if(!this.#r){this.#r=!0,this.#o({type:"evict"}),this.#o(this.#s.store),this.#i.isAsked&&this.#o(this.#i.ask(this.at));return}this.#t=!1,this.#s=
new A,this.#n=new A,this.#o({type:"drop"}),this.#o({type:"tell",notice:"uncached"})}}drop(e){this.at=e,this.#e=e.seq,this.#n=new A,this.#i.drop(),this.#t&&this.#o(
{type:"drop"}),this.#o({type:"forget"})}rewind(e,t,n){let{at:r}=this;if(!this.#t||r.seq===Se||e<=r.epoch||n>=r.seq)return!1;let i=Math.min(n,r.seq-this.#n.count);
return i<=this.#e||i+1<t?!1:(this.#i.size>0&&this.#o({type:"drop_checkpoint"}),this.at={epoch:e,seq:i},this.#n=new A,this.#i.drop(),this.#i.behind(i,0),this.#o(
{type:"rewind",at:this.at}),this.#o({type:"forget"}),this.#o({type:"read",from:0,after:0}),!0)}};var Dt=1e3,xe=class{#e=0;#t=0;#n=0;#s=!1;retryMs=0;agreed(){this.#e=this.#t=this.#n=0,this.#s=!0}line(){this.#e=this.#n=0,this.#s=!0}anew(){this.#n=0}connected(){
this.#s=!1}lost(){this.#e=Math.min(this.#e+1,Dt)}refused(){this.lost(),this.#e=Math.max(this.#e,2)}strike(){this.#t=Math.min(this.#t+1,Dt)}gap(){return this.#n=
Math.min(this.#n+1,Dt),this.#n===1}wait(e,t){let n=Math.max(this.#e,this.#t-1),r=n>1||!this.#s?Math.max(e,this.retryMs):e;return n<=1&&r<=0?void 0:J(n,r,t)}};var ke=class{#e="closed";#t=new $e(e=>this.#b(e));#n=new xe;#s=0;#r=[];get phase(){return this.#e}get at(){return this.#t.at}get cached(){return this.#t.cached}step(e,t){
return this.#r=[],this.#s=t,this.#t.begin(e.type!=="store_failed"),this.#i(e),this.#r}#i(e){switch(e.type){case"open":return this.#o(e);case"tick":return this.#t.
store();case"due":case"wake":return this.#e==="waiting"?this.#k():void 0;case"renew":return this.#e==="live"?this.#d():void 0;case"moved":return this.#e==="over"||
this.#e==="aside"?this.#k():void 0;case"close":return this.#c();case"store_failed":return this.#e==="closed"?void 0:this.#t.storeFailed();case"unreadable":return this.#C();case"\
saved":return this.#t.saved(e.size);case"connected":this.#e==="connecting"&&(this.#e="live");return;case"retry":this.#n.retryMs=e.ms;return;case"answer":return this.#e===
"connecting"?this.#x(e):void 0;case"lost":return this.#E();case"gone":return this.#S(e.reason);default:return this.#T?this.#a(e):void 0}}#a(e){switch(e.type){case"\
frame":return this.#u(e);case"heartbeat":(e.at===void 0||this.#h(e.at))&&this.#n.agreed();return;case"reset":return this.#v(e);case"over":return this.#h(e.at)?this.#g(
"over"):void 0;case"refused":this.#b({type:"tell",notice:"unavailable",code:e.code});return;case"damage":return this.#O("damaged")}}#o(e){this.#e==="closed"&&(this.#n=
new xe,this.#t.open(e),this.#k())}#c(){this.#t.leave(),(this.#T||this.#e==="connecting")&&this.#b({type:"disconnect"}),this.#e="closed"}#d(){this.#t.store(),this.#b(
{type:"disconnect"}),this.#k()}#u(e){if(Ut(this.#t.at,e.at,this.#t.at.seq+1))this.#f("epoch");else if(e.seq!==e.at.seq)this.#p(e.at);else{if(e.seq<=this.#t.at.seq)
return;e.seq!==this.#t.at.seq+1?this.#p(e.at):this.#l(e)}}#l(e){this.#e="live",this.#n.line(),this.#t.show(e.at,e.line)}#h(e){return e.seq===0?!0:Ut(this.#t.at,
e,this.#t.at.seq)?(this.#f("epoch"),!1):e.seq>this.#t.at.seq?(this.#p(e),!1):!0}#p(e){if(!this.#n.gap()){this.#f("gap");return}this.#t.at.seq===0&&(this.#t.at={
epoch:Math.min(e.epoch+1,Number.MAX_SAFE_INTEGER),seq:Se}),this.#n.strike(),this.#b({type:"disconnect"}),this.#O("gap"),this.#m(0)}#f(e){this.#n.strike(),this.#b(
{type:"disconnect"}),this.#P(ne),this.#O(e),this.#m(0)}#v(e){this.#y(e.epoch,e.oldest,e.common)?(this.#b({type:"disconnect"}),this.#m(0)):this.#e="live"}#y(e=0,t=0,n=0){
this.#n.strike(),this.#n.anew();let r=this.#t.rewind(e,t,n);return r||this.#t.drop(Qn(e,t)),r}#g(e){this.#n.agreed(),this.#t.leave(),this.#e=e}#S(e){!this.#T&&this.#e!==
"connecting"||(e==="deselected"?(this.#g("aside"),this.#O("deselected")):this.#w())}#w(){this.#P(ne),this.#e="gone",this.#O("gone")}#x(e){switch(e.status){case 204:
this.#g("over");break;case 410:this.#y(e.epoch,e.oldest,e.common),this.#m(0);break;case 401:case 403:this.#t.leave(),this.#b({type:"forget"}),this.#e="refused",
this.#O("refused");break;case 404:this.#w();break;default:this.#t.store(),this.#n.refused(),this.#O("unavailable"),this.#m(e.retryAfterMs??0)}}#E(){this.#e!=="l\
ive"&&this.#e!=="connecting"||(this.#t.store(),this.#n.lost(),this.#m(0))}#m(e){let t=this.#n.wait(e,this.#s);if(t===void 0){this.#k();return}this.#e="waiting",
this.#b({type:"wait",ms:t})}#k(){this.#n.connected(),this.#e="connecting",this.#b({type:"connect",since:this.#t.at})}#C(){this.#e==="closed"||!this.#t.cached||this.#t.
readAnew()||(this.#b({type:"disconnect"}),this.#P(ne),this.#O("cache_dropped"),this.#k())}#P(e){this.#t.drop(e),this.#n.anew()}get#T(){return this.#e==="live"||
this.#e==="over"||this.#e==="aside"}#b(e){this.#r.push(e)}#O(e){this.#b({type:"tell",notice:e})}};async function br(s,e,t,n){let r={...e,headers:{...e.headers,"Idempotency-Key":t}},i=!1,o=0;for(let d=1;;d++)try{return await s.json(r,n)}catch(c){if(n?.throwIfAborted(),
i||=c instanceof S&&c.sent,!i||!te(c)||o>=s.patienceMs)throw i&&c instanceof S&&!c.sent?new S(c.where,!0,c.cause):c;let h=J(d,0,s.clock.random());o+=Math.max(h,
1),await ce(s.clock,h,n)}}function v(s,e,t){return br(s,e,t.key||vr(),t.signal)}function vr(){return Array.from(crypto.getRandomValues(new Uint8Array(16)),s=>s.
toString(16).padStart(2,"0")).join("")}var Wt=6e4,Sr=64<<20,Bt=1<<20,Ue=class{base;where;name;patienceMs;clock;#e;#t;constructor(e){this.base=kr(e.base),this.where=e.where??this.base,this.name=e.name,
this.patienceMs=e.patienceMs??3e4,this.clock=e.clock??Kn,this.#e=e.token,this.#t=e.fetch??((t,n)=>fetch(t,n))}async do(e,t){let n=await this.request(e,t);if(n.ok)
return n;throw zt(n,await Vn(n,Bt).catch(()=>""))}async request(e,t){let n={...e.headers};this.#e!==void 0&&(n.Authorization=`Bearer ${this.#e}`),e.body!==void 0&&
(n["Content-Type"]??="application/json");let r=new AbortController,i=t===void 0?r.signal:AbortSignal.any([t,r.signal]),o=this.clock.after(e.patienceMs??Wt,()=>r.
abort(new Error("the answer does not come")));try{return await this.#t(this.base+e.path+xr(e.query??{}),{method:e.method,headers:n,body:e.body===void 0?null:JSON.
stringify(e.body),signal:i,redirect:"manual",credentials:"omit",cache:"no-store",referrerPolicy:"no-referrer"})}catch(d){throw t?.throwIfAborted(),r.signal.aborted?
new S(this.where,!0,r.signal.reason):Gn(this.where,d)}finally{o()}}async json(e,t){let n=await this.text(e,t);try{return n.trim()===""?void 0:JSON.parse(n)}catch(r){
throw new w(`${e.method} ${e.path}: the daemon's answer is no JSON`,{cause:r})}}async text(e,t){let n=await this.do(e,t);try{return await Vn(n,Sr)}catch(r){throw t?.
throwIfAborted(),r instanceof w?r:new S(this.where,!0,r)}}};function zt(s,e){let t=s.headers.get("Content-Type")?.split(";")[0]?.trim()==="application/problem+j\
son";try{let n=JSON.parse(e);if(t&&typeof n.code=="string")return new F({...n,status:s.status},Jt(s))}catch{}return new w(`the daemon answered ${s.status}, whic\
h is none of its own answers: is it something else that listens there?`)}function Jt(s){let e=s.headers.get("Retry-After")??"";return/^[0-9]{1,6}$/.test(e)?Number(
e)*1e3:0}async function Vn(s,e){let t=s.body?.getReader(),n=new TextDecoder,r="",i=0;for(let o=await t?.read();o!==void 0&&!o.done;o=await t.read()){if(i+=o.value.
length,i>e)throw await t.cancel(),new w(`the daemon's answer is longer than ${e>>20} MiB`);r+=n.decode(o.value,{stream:!0})}return r+n.decode()}function xr(s){let e=new URLSearchParams;
for(let[t,n]of Object.entries(s))for(let r of Array.isArray(n)?n:n===void 0?[]:[n])e.append(t,String(r));return e.size===0?"":`?${e}`}function kr(s){let e;try{e=
new URL(s)}catch{}if(e===void 0||!["http:","https:"].includes(e.protocol)||e.username+e.password+e.search+e.hash!==""||e.pathname!=="/")throw new TypeError(`bas\
e ${JSON.stringify(s.slice(0,200))}: want http://HOST:PORT or https://HOST:PORT`);return e.origin}var Or=45e3,De=1e4,M=class s{response;#e;#t;#n;#s;#r;constructor(e,t,n,r,i){this.response=t,this.#e=e,this.#n=n,this.#s=r,this.#t=i,this.#r=t.body?.getReader()}static async open(e,t,n){
n?.throwIfAborted();let r=new AbortController,i=()=>r.abort(n.reason),o=()=>n?.removeEventListener("abort",i);n?.addEventListener("abort",i,{once:!0});try{return new s(
e,await e.request(t,r.signal),r,o,n)}catch(d){throw o(),d}}static async begin(e,t,n){let r=await s.open(e,t,n);if(r.response.ok)return r;try{throw await r.problem()}finally{
r.close()}}async problem(){let e=new TextDecoder,t="";for(let n=await this.next();n!==void 0&&t.length<Bt;n=await this.next())t+=e.decode(n,{stream:!0});return zt(
this.response,t)}async next(){let e=this.#e.clock.after(Or,()=>this.#n.abort(new Error("the daemon went silent")));try{return(await this.#r?.read())?.value}catch(t){
throw this.#t?.throwIfAborted(),new S(this.#e.where,!0,this.#n.signal.aborted?this.#n.signal.reason:t)}finally{e()}}close(){this.#s(),this.#n.abort(new Error("c\
losed")),this.#r?.cancel().catch(()=>{})}};function Kt(s,e){let t=e.since!==void 0&&e.since.seq>0?R(e.since):void 0;return{method:"GET",path:`${s}/log`,query:{since:t,view:e.view==="settled"?e.view:void 0}}}
function Gt(s){let[e,t]=["X-Session-Version","X-Session-Epoch"].map(n=>Number(s.headers.get(n)??NaN));if(!Number.isSafeInteger(e)||!Number.isSafeInteger(t))throw new w(
"the daemon's log does not say how far it goes");return{version:e,epoch:t}}async function*Xn(s,e,t){let n=await M.begin(s,Kt(e,t),t.signal);try{let{version:r,epoch:i}=Gt(
n.response),o=new L,d=t.since?.seq??0,c=d===0;for(let h=await n.next();h!==void 0;h=await n.next())for(let g of o.push(h)){let y=Er(g);if(t.view==="settled"||c?
y.seq<=d:y.seq!==d+1)throw new w(`the log has a gap: event ${y.seq} came after ${d}`);c=!1,d=y.seq,yield{event:y,at:{epoch:i,seq:d},line:g.text}}if(o.end()!==void 0||
d<r&&t.view!=="settled")throw new S(s.where,!0,new Error(`the log ended with event ${d} of ${r}`))}finally{n.close()}}function Er(s){if(s instanceof C)throw new w(
`the daemon's log: ${s.message}`,{cause:s});let e=Ht(s.text);if(!we(e))return e;let{problem:t="",hint:n}=e;throw new F({type:"about:blank",code:"damaged",status:200,
title:"The log is damaged",detail:`The log ends early: ${t}.`,hint:n})}function Ht(s){try{return Nt(s)}catch(e){throw e instanceof f?new w(`the daemon's log: ${e.
message}`,{cause:e}):e}}async function*Zn(s,e,t){let n=new Qt(s,e,t);for(;;)try{yield*n.connection();return}catch(r){if(t.signal?.throwIfAborted(),!n.hasJoined||!te(r))throw r;let i=n.
lost();yield{type:"lost",error:r,waitMs:i,awayMs:n.awayMs},await ce(s.clock,i,t.signal),n.awayMs+=i}}var Qt=class{hasJoined=!1;awayMs=0;#e;#t;#n;#s;#r=0;#i=0;constructor(e,t,n){
this.#e=e,this.#t=t,this.#n=n.signal,this.#s=n.since??{epoch:1,seq:0}}lost(){return this.#r++,J(this.#r,this.#i,this.#e.clock.random())}async*connection(){let e={
Accept:"text/event-stream"};this.#s.seq>0&&(e["Last-Event-ID"]=R(this.#s));let t=await M.begin(this.#e,{method:"GET",path:`${this.#t}/stream`,headers:e},this.#n);
try{if(this.hasJoined=!0,t.response.status===204)return;let n=new Y,r=this.#e.clock.now();for(let i=await t.next();i!==void 0;i=await t.next()){let o=n.push(i);
this.#i=n.retry??0;for(let d of o){this.awayMs=0,this.#e.clock.now()-r>=De&&(this.#r=0);let c=this.#a(d);c!==void 0&&(yield c)}}}finally{t.close()}throw new S(this.#e.
where,!0,new Error("the daemon ended the connection"))}#a(e){if(e instanceof U)throw new w(`the daemon's stream: ${e.message}`,{cause:e});let t=Ht(e.data);if(we(
t))return t.type==="reset"&&(this.#s={epoch:t.epoch,seq:Math.max(t.oldest,1)-1}),t.type==="heartbeat"?void 0:t;let n=re(e.id);if(n.epoch===this.#s.epoch&&t.seq<=
this.#s.seq)throw new w(`the log has a gap: event ${t.seq} came again`);if(this.#s.seq>0&&t.seq!==this.#s.seq+1)throw new w(`the log has a gap: event ${t.seq} c\
ame after ${this.#s.seq}`);return this.#s=n,this.#r=0,{type:"line",event:t,at:n,line:e.data}}};var We=class{id;#e;constructor(e,t){this.#e=e,this.id=t}show(e={}){return this.#r("GET","",void 0,e)}change(e,t={}){let n={"Content-Type":"application/merge-pat\
ch+json"};return v(this.#e,{method:"PATCH",path:this.#t(),body:e,headers:n},t)}end(e={}){return this.#s("POST","/end",e.reason===void 0?void 0:{reason:e.reason},
e)}remove(e={}){return this.#s("DELETE","",void 0,e)}interrupt(e={}){return this.#s("POST","/interrupt",this.#e.name===void 0?void 0:{clientId:this.#e.name},e)}async state(e={}){
let t=e.at!==void 0&&e.at.seq>0?R(e.at):void 0,n=await this.#e.text({method:"GET",path:this.#t("/state"),query:{at:t,entries:e.entries,before:e.before}},e.signal);
try{return Z(n)}catch(r){throw r instanceof f?new w(`the daemon's state: ${r.message}`,{cause:r}):r}}log(e={}){return Xn(this.#e,this.#t(),e)}async openLog(e={}){
let t=await this.#e.do(Kt(this.#t(),e),e.signal),n=t.headers.get("X-Session-Damage");return{...Gt(t),...n===null?{}:{damage:n},body:t.body??new Blob().stream()}}follow(e={}){
return Zn(this.#e,this.#t(),e)}prompt(e,t={}){return this.#s("POST","/prompts",{...this.#n(),...e},t)}async prompts(e={}){return(await this.#r("GET","/prompts",
void 0,e)).prompts}move(e,t,n={}){return this.#s("POST",`/prompts/${se(e)}/move`,t,n)}cancel(e,t={}){return this.#s("DELETE",`/prompts/${se(e)}`,void 0,t)}async requests(e={}){
return(await this.#r("GET","/requests",void 0,e)).requests}answer(e,t,n={}){return this.#s("POST",`/requests/${se(e)}`,{...this.#n(),...t},n)}models(e={}){return this.#r(
"GET","/models",void 0,e)}modes(e={}){return this.#r("GET","/modes",void 0,e)}budget(e={}){return this.#r("GET","/budget",void 0,e)}setBudget(e,t={}){return this.#s(
"PUT","/budget",e,t)}setModel(e,t={}){return this.#s("POST","/model",e,t)}setMode(e,t={}){return this.#s("POST","/mode",e,t)}async raw(e={}){let t={from:e.from,
to:e.to,dir:e.dir},n=await M.begin(this.#e,{method:"GET",path:this.#t("/raw"),query:t},e.signal);return{first:Number(n.response.headers.get("X-Raw-First-Line")??
1),lines:Cr(n)}}take(e={}){return this.#s("POST","/take",void 0,e)}async lost(e={}){return(await this.#r("GET","/lost",void 0,e)).lost}lostEnd(e,t={}){return this.#e.
do({method:"GET",path:this.#t(`/lost/${se(e)}`)},t.signal)}entryText(e,t={}){return this.#e.do({method:"GET",path:this.#t(`/entries/${se(e)}/text`)},t.signal)}image(e,t={}){
return this.#e.do({method:"GET",path:this.#t(`/images/${se(e)}`)},t.signal)}#t(e=""){return`/sessions/${se(this.id)}${e}`}#n(){return this.#e.name===void 0?{}:{
clientId:this.#e.name}}#s(e,t,n,r){return v(this.#e,{method:e,path:this.#t(t),body:n},r)}#r(e,t,n,r){return this.#e.json({method:e,path:this.#t(t),body:n},r.signal)}};
async function*Cr(s){try{let e=new L(1/0);for(let t=await s.next();t!==void 0;t=await s.next())for(let n of e.push(t)){if(n instanceof C)throw new w(`the daemon\
's native lines: ${n.message}`,{cause:n});yield JSON.parse(n.text)}}finally{s.close()}}function se(s){if(/^\.{0,2}$/.test(s))throw new TypeError(`${JSON.stringify(
s)} is no id`);return encodeURIComponent(s)}function Vt(s){return{method:"POST",path:"/stream",body:s,headers:{Accept:"text/event-stream"}}}async function*Yn(s,e,t){let n=await M.begin(s,Vt(e),t.signal);try{
let r=new Oe;for(let i=await n.next();i!==void 0;i=await n.next())for(let o of r.push(i))yield o.type==="event"?{...o,...Xt(o.line)}:o;if(e.select!==void 0||e.roster===
!0)throw new S(s.where,!0,new Error("the daemon ended the connection"))}finally{n.close()}}var Oe=class{#e=new Y;#t="";get retryMs(){return this.#e.retry??0}push(e){
return this.#e.push(e).map(t=>{if(t instanceof U)throw new w(`the daemon's stream: ${t.message}`,{cause:t});let n=t.id!==this.#t;return this.#t=t.id,n?Pr(t):Tr(
t)})}};function Pr(s){try{let{sessionId:e,cursor:t}=vt(s.id);return{type:"event",sessionId:e,at:t,line:s.data}}catch(e){throw new w(`the daemon's stream: ${String(
e)}`,{cause:e})}}function Tr(s){try{let e=JSON.parse(s.data);if(typeof e=="object"&&e!==null&&"type"in e)return e}catch{}throw new w("the daemon's stream: a fra\
me is no signal")}function Xt(s){try{return{event:_(s)}}catch(e){if(e instanceof f)return{};throw e}}var Be=class{#e;constructor(e){this.#e=e}#t(e,t=""){return`/webhooks/${encodeURIComponent(e)}${t}`}create(e,t={}){return v(this.#e,{method:"POST",path:"/webhook\
s",body:e},t)}async list(e={}){return(await this.#e.json({method:"GET",path:"/webhooks"},e.signal)).webhooks}show(e,t={}){return this.#e.json({method:"GET",path:this.#t(
e)},t.signal)}change(e,t,n={}){return v(this.#e,{method:"PATCH",path:this.#t(e),body:t},n)}remove(e,t={}){return v(this.#e,{method:"DELETE",path:this.#t(e)},t)}rotate(e,t={},n={}){
return v(this.#e,{method:"POST",path:this.#t(e,"/secret"),body:t},n)}test(e,t={}){return v(this.#e,{method:"POST",path:this.#t(e,"/test")},t)}async deliveries(e,t="\
pending",n={}){return(await this.#e.json({method:"GET",path:this.#t(e,"/deliveries"),query:{state:t}},n.signal)).deliveries}send(e,t,n={}){return v(this.#e,{method:"\
POST",path:this.#t(e,`/deliveries/${encodeURIComponent(t)}/send`)},n)}async sendDead(e,t={}){return(await v(this.#e,{method:"POST",path:this.#t(e,"/dead/send")},
t)).sent}};var Ee=class{#e;constructor(e){this.#e=new Ue(e)}get where(){return this.#e.where}get wire(){return this.#e}session(e){return new We(this.#e,e)}create(e,t={}){let{
name:n}=this.#e,{prompt:r}=e,i=typeof r=="string"?{text:r}:r,o=i===void 0||n===void 0?e:{...e,prompt:{clientId:n,...i}};return v(this.#e,{method:"POST",path:"/s\
essions",body:o},t)}sessions({signal:e,...t}={}){return this.#e.json({method:"GET",path:"/sessions",query:t},e)}inbox({signal:e,...t}={}){return this.#e.json({method:"\
GET",path:"/requests",query:{state:"open",...t}},e)}wait(e,t={}){let n=(e.timeoutMs??6e4)+Wt;return this.#e.json({method:"POST",path:"/wait",body:e,patienceMs:n},
t.signal)}stream({sessions:e,...t},n={}){let r=e&&Object.fromEntries(Object.entries(e).map(([i,o])=>[i,typeof o=="string"?o:R(o)]));return Yn(this.#e,r===void 0?
t:{...t,sessions:r},n)}health(e={}){return this.#e.json({method:"GET",path:"/health"},e.signal)}ready(e={}){return this.#e.json({method:"GET",path:"/ready"},e.signal)}agents(e={}){
return this.#e.json({method:"GET",path:"/agents"},e.signal)}async nativeSessions(e,t={}){let n={cwd:e,agent:t.agent};return(await this.#e.json({method:"GET",path:"\
/native-sessions",query:n},t.signal)).sessions}async nodes(e={}){return(await this.#e.json({method:"GET",path:"/nodes"},e.signal)).nodes}drainNode(e,t={},n={}){
return v(this.#e,{method:"POST",path:`/nodes/${encodeURIComponent(e)}/drain`,body:t},n)}joinNode(e,t={}){return v(this.#e,{method:"POST",path:`/nodes/${encodeURIComponent(
e)}/join`},t)}forgetNode(e,t={}){return v(this.#e,{method:"POST",path:`/nodes/${encodeURIComponent(e)}/forget`},t)}async roots(e={}){return(await this.#e.json({
method:"GET",path:"/roots"},e.signal)).roots}async addRoot(e,t={}){return(await v(this.#e,{method:"POST",path:"/roots",body:{path:e}},t)).roots}collect(e,t={}){
return v(this.#e,{method:"POST",path:"/gc",body:e},t)}reload(e={}){return v(this.#e,{method:"POST",path:"/config/reload"},e)}metrics(e={}){return this.#e.do({method:"\
GET",path:"/metrics"},e.signal)}profile(e,t={}){return this.#e.do({method:"GET",path:`/debug/pprof/${e}`},t.signal)}get webhooks(){return new Be(this.#e)}async tokens(e={}){
return(await this.#e.json({method:"GET",path:"/tokens"},e.signal)).tokens}createToken(e,t={}){return v(this.#e,{method:"POST",path:"/tokens",body:e},t)}revokeToken(e,t={}){
return v(this.#e,{method:"DELETE",path:`/tokens/${encodeURIComponent(e)}`},t)}async ownerBudgets(e={}){return(await this.#e.json({method:"GET",path:"/budgets"},
e.signal)).budgets}ownerBudget(e,t={}){return this.#e.json({method:"GET",path:`/budgets/${encodeURIComponent(e)}`},t.signal)}setOwnerBudget(e,t,n={}){return v(this.#e,
{method:"PUT",path:`/budgets/${encodeURIComponent(e)}`,body:t},n)}removeOwnerBudget(e,t={}){return v(this.#e,{method:"DELETE",path:`/budgets/${encodeURIComponent(
e)}`},t)}askLogin(e={}){return this.#e.json({method:"POST",path:"/logins"},e.signal)}login(e,t={}){return this.#e.json({method:"POST",path:"/login",body:e},t.signal)}endLogin(e={}){
return v(this.#e,{method:"DELETE",path:"/login"},e)}mcp({signal:e,...t}){return this.#e.request({...t,path:"/mcp"},e)}log(e,t={}){return this.session(e).log(t)}follow(e,t={}){
return this.session(e).follow(t)}prompt(e,t,n={}){return this.session(e).prompt(t,n)}};var he=class{#e;#t=!1;ring(){this.#t=!0,this.#e?.()}async heard(){this.#t||(await new Promise(e=>this.#e=e),this.#e=void 0),this.#t=!1}};function es(){let s,e;return{
promise:new Promise((n,r)=>{s=n,e=r}),resolve:s,reject:e}}function ze(s){switch(s.type){case"line":return 100+s.line.length;case"overflow":return 100+("text"in s.overflow.delta?s.overflow.delta.text.length:0);default:return 100}}var qr=4<<20,Je=class{#e=new Set;#t=[];#n=0;#s=0;#r=[];#i;get isWanted(){return this.#e.size>0}get end(){return this.#i}put(e,t){if(this.#o(e))return this.#a(e,
t);this.#c(e)}async#a(e,t){let n=()=>this.#u();for(t.addEventListener("abort",n);this.#o(e)&&!t.aborted;)await new Promise(r=>this.#r.push(r));t.removeEventListener(
"abort",n),!t.aborted&&this.#c(e)}join(){let e={at:this.#n+this.#t.length,news:new he};return this.#e.add(e),e}leave(e){this.#e.delete(e),this.#d()}take(e){let t=this.#t.
slice(e.at-this.#n);return e.at=this.#n+this.#t.length,this.#d(),t}close(e){this.#i={error:e},this.#l()}#o(e){return this.#e.size>0&&this.#t.length>0&&this.#s+ze(
e)>qr}#c(e){this.#e.size>0&&(this.#t.push(e),this.#s+=ze(e),this.#l())}#d(){let e=this.#n+this.#t.length;for(let{at:t}of this.#e)e=Math.min(e,t);if(e>this.#n){for(let t of this.#t.
splice(0,e-this.#n))this.#s-=ze(t);this.#n=e}this.#u()}#u(){let e=this.#r;this.#r=[],e.forEach(t=>t())}#l(){for(let{news:e}of this.#e)e.ring()}};var ts=1e3,Ar=3600*1e3,Mr=256<<20,Zt={askedMs:0,isPassing:!0},Ke=class{#e;#t;#n;#s;#r=new he;#i=new Map;#a=!1;#o=new AbortController;constructor(e,t,n,r){this.#e=
e,this.#t=t,this.#n=n,this.#s=r}async run(){let e=()=>this.#r.ring();this.#s.addEventListener("abort",e);try{this.#t.isAsked||await this.#t.openCached();for(let t=0;;){
let n=this.#e.clock.now();await this.#c();let r=await this.#l();if(this.#s.throwIfAborted(),r.error!==void 0){if(!r.isPassing)throw r.error;t=this.#e.clock.now()-
n>=De?1:t+1,await this.#d(J(t,r.askedMs,this.#e.clock.random())),await this.#t.all({type:"wake"})}}}finally{this.#s.removeEventListener("abort",e),await this.#t.
closeAll()}}wake(){this.#a=!0,this.#o.abort(),this.#r.ring()}ask(e,t){let n=this.#i.get(e)?.done??[];return new Promise(r=>{this.#i.set(e,{from:t,done:[...n,r]}),
this.#r.ring()})}async#c(){for(let[e,{from:t,done:n}]of this.#i)this.#i.delete(e),await this.#t.ask(e,t),n.forEach(r=>r())}async#d(e){this.#o=new AbortController,
await this.#u(ce(this.#e.clock,e,AbortSignal.any([this.#s,this.#o.signal])),()=>!1),this.#s.throwIfAborted()}async#u(e,t){let n=!1,r=()=>{n=!0,this.#r.ring()};for(e.
then(r,r);!n&&!t();)await this.#r.heard(),await this.#c()}async#l(){let e,t=new AbortController;this.#t.mustReopen=!1;let n=M.open(this.#e,Vt(this.#h()),AbortSignal.
any([this.#s,t.signal]));if(await this.#u(n,()=>this.#t.mustReopen),this.#t.mustReopen)return t.abort(Zt),n.then(r=>r.close(),()=>{}),Zt;try{e=await n}catch(r){
return await this.#t.all({type:"lost"}),{error:r,askedMs:0,isPassing:te(r)}}try{if(!e.response.ok)return await this.#p(e);await this.#t.joinAll();let r=await this.#f(
e);return await this.#t.all({type:r.error===void 0?"renew":"lost"}),this.#t.partAll(),r}finally{e.close()}}#h(){let e=[...this.#t.kept.values()].filter(({machine:t})=>t.
phase==="connecting"||t.phase==="over");return{select:this.#n??{},roster:!0,...this.#t.isAsked?{begin:"newest"}:{},sessions:Object.fromEntries(e.map(({id:t,machine:n})=>[
t,R(n.at)]))}}async#p(e){let{response:t}=e,{status:n}=t,r=Jt(t),i=await e.problem(),o=n===429||n>=500,d=o||n===401||n===403?{type:"answer",status:n,retryAfterMs:r}:
{type:"lost"};return await this.#t.all(d),{error:i,askedMs:r,isPassing:o}}async#f(e){let{clock:t}=this.#e,n=new Oe,r=t.now(),i=0,o=0,d=!1,c,h=()=>{c=void 0;let m=O=>{
c=O,this.#r.ring()};e.next().then(O=>m(O===void 0?{}:{bytes:O}),O=>m({error:O}))},g=()=>{d=!0,y=t.after(ts,g),this.#r.ring()},y=t.after(ts,g);h();try{for(;!this.#t.
mustReopen&&i<Mr&&t.now()-r<Ar;){if(await this.#r.heard(),this.#s.throwIfAborted(),await this.#c(),c!==void 0){let{bytes:m,error:O}=c;if(m===void 0){let G=o===0?
n.retryMs:0;return{error:O??new S(this.#e.where,!0,new Error("the daemon ended the stream")),askedMs:G,isPassing:!0}}i+=m.length;for(let G of n.push(m))o++,await this.#t.
take(G);h()}(d||this.#a)&&(await this.#t.all({type:"tick"}),await this.#t.retry(t.now(),this.#a),d=this.#a=!1)}return Zt}catch(m){return{error:m,askedMs:0,isPassing:te(
m)}}finally{y()}}};var Ge=class{id;machine=new ke;isJoined=!1;due;at={epoch:1,seq:0};fold;#e;#t;constructor(e,t,n,r){this.id=e,this.#e=t,this.#t=r,this.fold=n?new j:void 0}get keepsStates(){
return this.fold!==void 0&&this.#e?.saveState!==void 0&&this.#e.state!==void 0}async step(e){for(let t=e;t!==void 0;){let n=this.machine.step(t,this.#t.random());
t=void 0;for(let r of n){if((r.type==="save"||r.type==="read")&&t!==void 0)continue;let i=this.#n(r);i!==void 0&&(t=await i??t)}}}async close(){await this.step(
{type:"close"}),this.letGo()}letGo(){this.#e?.close()}#n(e){switch(e.type){case"connect":this.isJoined=!1,this.due=void 0,this.#t.reopen();return;case"disconnec\
t":this.isJoined=!1;return;case"wait":this.isJoined=!1,this.due=this.#t.now()+e.ms;return;case"show":return this.#s(e.at,e.line);case"forget":return this.at={epoch:1,
seq:0},this.fold&&=new j,this.#t.tell({type:"reset",id:this.id});case"tell":return this.#t.tell({type:"notice",id:this.id,notice:e.notice,...e.code===void 0?{}:
{code:e.code}});case"read":return this.#r(e);case"save":return this.#a(e.at);default:return this.#o(e)}}#s(e,t){let n=this.#t.isWanted(),r=n||this.fold!==void 0?
Xt(t):{};return this.at=e,this.fold!==void 0&&r.event!==void 0&&(this.fold.apply(r.event),this.fold.state.epoch=e.epoch),n?this.#t.tell({type:"line",id:this.id,
at:e,line:t,...r}):void 0}async#r(e){let{epoch:t}=this.machine.at;try{e.from>0&&this.fold!==void 0&&await this.#i({epoch:t,seq:e.after});for await(let{event:r,line:i}of this.#e.
lines(this.fold===void 0?{type:"read",from:0,after:0}:e))await this.#s({epoch:t,seq:r.seq},i);let{at:n}=this.machine;return this.at.epoch===n.epoch&&this.at.seq===
n.seq?void 0:{type:"unreadable"}}catch{return{type:"unreadable"}}}async#i(e){let t=Z(await this.#e.state());if(t.epoch!==e.epoch||t.seq>e.seq)throw new Error(`a\
 state at ${t.epoch}.${t.seq} stands for the lines up to ${e.epoch}.${e.seq}`);this.fold=new j(t),this.at=e,await this.#t.tell({type:"restored",id:this.id,at:e})}async#a(e){
if(!(!(this.at.epoch===e.epoch&&this.at.seq===e.seq)||!this.keepsStates||this.fold.state.sessionId===""))try{return{type:"saved",size:await this.#e.saveState(e,
z(this.fold.toJSON()))}}catch{return}}async#o(e){try{await this.#e?.do(e);return}catch{switch(e.type){case"store":return{type:"store_failed"};case"rewind":return{
type:"unreadable"};default:return}}}};function ns(s){let e=/^\{"seq":([0-9]{1,16}),/.exec(s),t=e===null?Ir(s):Number(e[1]);return typeof t=="number"&&Number.isSafeInteger(
t)&&t>0?t:0}function Ir(s){try{return JSON.parse(s)?.seq}catch{return 0}}var He=class{kept=new Map;roster=new Map;mustReopen=!1;#e;#t;#n;#s;#r;isAsked;#i;constructor(e,t,n,r,i){this.#e=e,this.#t=t,this.#s=n.tell,this.#n={...n,reopen:()=>this.
mustReopen=!0},this.#r=r,this.isAsked=i}async openCached(){for(let e of this.#e?.sessions()??[])await this.#d(e)}async ask(e,t){let n=this.kept.get(e);t!==void 0&&
n===void 0?await this.#d(e,t.since):t===void 0&&n!==void 0&&(this.kept.delete(e),await n.close())}async joinAll(){this.mustReopen=!1,this.#i=new Set;for(let e of this.
kept.values())e.machine.phase==="connecting"?(e.isJoined=!0,await e.step({type:"connected"})):(e.machine.phase==="over"||e.machine.phase==="aside")&&(e.isJoined=
!0)}partAll(){for(let e of this.kept.values())e.isJoined=!1}async all(e){for(let t of this.kept.values())await t.step(e)}async retry(e,t){for(let n of this.kept.
values())n.due!==void 0&&(t||e>=n.due)&&(n.due=void 0,await n.step({type:"due"}))}async closeAll(){for(let e of this.kept.values())await e.close()}async take(e){
switch(e.type){case"event":return this.#o(e.sessionId,{type:"frame",at:e.at,seq:ns(e.line),line:e.line});case"session":return this.#l(e.session);case"roster_com\
plete":return this.#h();case"session_gone":return this.#p(e);case"reset":return this.#o(e.sessionId,{type:"reset",epoch:e.epoch,oldest:e.oldest,common:e.common??
0});case"over":return this.#o(e.sessionId,{type:"over",at:ss(e.cursor)});case"refused":return this.#o(e.sessionId,{type:"refused",code:e.code});case"damage":return this.#o(
e.sessionId,{type:"damage"});case"overflow":return this.#a(e);case"heartbeat":return this.#u(e.at??{});default:return}}async#a({sessionId:e,...t}){this.kept.get(
e)?.isJoined===!0&&await this.#s({type:"overflow",id:e,overflow:t})}async#o(e,t){let n=this.kept.get(e)??await this.#c(e);n!==void 0&&(n.isJoined&&await n.step(
t),n.machine.phase==="gone"&&(n.letGo(),this.kept.delete(e)))}async#c(e){if(this.isAsked||!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(e))return;let t=this.
mustReopen,n=await this.#d(e);return this.mustReopen=t,n.isJoined=!0,await n.step({type:"connected"}),n}async#d(e,t){let n=await this.#e?.open(e).catch(()=>{}),
r=new Ge(e,n?.session,this.#t!==void 0,this.#n);this.kept.set(e,r),this.#e!==void 0&&n===void 0&&await this.#s({type:"notice",id:e,notice:"uncached"});let i=n?.
found,o={type:"open",cached:!1,file:{length:0,whole:!1,seq:0,sum:0},...t===void 0?{}:{since:t}};return await r.step(i===void 0?o:{...i,...r.keepsStates?{saveEvery:this.#t}:
{}}),r}async#u(e){for(let t of this.kept.values())if(t.isJoined){let n=Object.hasOwn(e,t.id)?e[t.id]:void 0;await t.step(n===void 0?{type:"heartbeat"}:{type:"he\
artbeat",at:ss(n)})}}async#l(e){this.roster.set(e.id,e),this.#i?.add(e.id),await this.#s({type:"session",id:e.id,session:e})}async#h(){let e=this.#i;this.#i=void 0;
let t=e===void 0?[]:[...this.roster.keys()].filter(n=>!e.has(n));for(let n of t)this.roster.delete(n);this.#r();for(let n of t)await this.#s({type:"gone",id:n})}async#p({
sessionId:e,reason:t}){this.kept.has(e)&&await this.#o(e,{type:"gone",reason:t}),(this.roster.delete(e)||t==="not_found")&&await this.#s({type:"gone",id:e})}};function ss(s){
try{return re(s)}catch(e){throw e instanceof $?new w(`the daemon's stream: ${e.message}`,{cause:e}):e}}var Ce=class{synced;#e=new Je;#t;#n;#s=new AbortController;#r;#i;constructor(e,t={}){let{wire:n}=e,r=es();r.promise.catch(()=>{}),this.synced=r.promise,this.#r=
r.reject,this.#t=new He(t.cache,t.states===!0?t.saveEvery??5e3:void 0,{tell:i=>this.#e.put(i,this.#s.signal),isWanted:()=>this.#e.isWanted,now:()=>n.clock.now(),
random:()=>n.clock.random()},()=>r.resolve(),t.follow==="asked"),this.#n=new Ke(n,this.#t,t.select,this.#s.signal)}async run(e={}){if(this.#i!==void 0)throw new Error(
"the mirror runs or has run");let t=()=>this.#s.abort(e.signal.reason);e.signal?.addEventListener("abort",t),e.signal?.aborted&&t(),this.#i=this.#n.run();let n;
try{await this.#i}catch(r){n=r===Yt?void 0:r}if(e.signal?.removeEventListener("abort",t),this.#e.close(n),this.#r(n??Yt),n!==void 0)throw n}async close(){this.#s.
abort(Yt),await this.#i?.catch(()=>{})}wake(){this.#n.wake()}follow(e,t){return this.#n.ask(e,{since:t})}unfollow(e){this.#n.ask(e,void 0)}roster(){return[...this.#t.
roster.values()].sort((e,t)=>e.id<t.id?-1:1)}at(e){return this.#t.kept.get(e)?.at}state(e){return this.#t.kept.get(e)?.fold?.toJSON()}async*changes(e={}){e.signal?.
throwIfAborted();let t=this.#e.join(),n=()=>t.news.ring();e.signal?.addEventListener("abort",n);try{for(let r of this.roster())yield{type:"session",id:r.id,session:r};
for(;;){let r=this.#e.take(t);if(yield*r,e.signal?.throwIfAborted(),!(r.length>0)){if(this.#e.end!==void 0){if(this.#e.end.error!==void 0)throw this.#e.end.error;
return}await t.news.heard()}}}finally{e.signal?.removeEventListener("abort",n),this.#e.leave(t)}}},Yt=new Error("the mirror was closed");var x=class extends Error{name="CacheError";problem;constructor(e,t,n){super(`cache: ${t}`,n===void 0?void 0:{cause:n}),this.problem=e}};var E=".ndjson",le=".index",K=".state",Rr=512<<20,_r=64<<20,Lr=8,Qe=class{files;flush;open=new Set;sizes=new Map;#e;#t;#n=0;constructor(e,t){this.files=e,this.flush=
t.flush??!1,this.#e=t.budget!==void 0&&t.budget>0?t.budget:Rr,this.#t=t.evicted}get size(){return this.#n}async look(){for(let e of await this.files.list())this.#s(
e.name,e.size)}async write(e,t,n,r){let i=this.sizes.get(e)??0,o=Math.max(i,t+n.length);if(this.#n+o-i>this.#e)throw new x("full","over the budget");this.#s(e,o),
await this.files.write(e,t,n,r)}async cut(e,t){await this.files.cut(e,t),this.#s(e,t)}async remove(e){await this.files.remove(e),this.#s(e,0),this.sizes.delete(
e)}async removeSession(e){let t=0;for(let n of[le,K,E])t+=this.sizes.get(e+n)??0,await this.remove(e+n);return t}async evict(){let e=(await this.files.list()).sort(
(n,r)=>n.used-r.used||(n.name<r.name?-1:1)),t=Math.min(_r,Math.floor(this.#e/Lr));for(let{name:n}of e){if(t<=0)return;let r=n.slice(0,-E.length);!n.endsWith(E)||
this.open.has(r)||(t-=await this.removeSession(r),this.#t?.(r))}}#s(e,t){this.#n+=t-(this.sizes.get(e)??0),this.sizes.set(e,t)}};async function pe(s,e,t){let n=await s.open(e);if(n!==void 0)try{return await t(n)}finally{await n.close()}}var Nr=262144;async function*fe(s,e,t){for(let n=e;n<
t;){let r=await s.read(n,Math.min(Nr,t-n));if(r.length===0)return;n+=r.length,yield r}}var jr=$r(),Fr=new Uint8Array(Int32Array.of(1).buffer)[0]===1;function $r(){let s=new Int32Array(2048);for(let e=0;e<256;e++){let t=e;for(let n=0;n<8;n++)t=t&1?
t>>>1^3988292384:t>>>1;s[e]=t}for(let e=256;e<s.length;e++){let t=s[e-256];s[e]=t>>>8^s[t&255]}return s}function I(s,e=0){let t=jr,n=~e,r=0;if(Fr&&s.length>=16){
for(;(s.byteOffset+r)%4!==0;r++)n=n>>>8^t[(n^s[r])&255];let i=new Int32Array(s.buffer,s.byteOffset+r,s.length-r>>>2),o=i.length&-2;for(let d=0;d<o;d+=2){let c=i[d]^
n,h=i[d+1];n=t[1792+(c&255)]^t[1536+(c>>>8&255)]^t[1280+(c>>>16&255)]^t[1024+(c>>>24)]^t[768+(h&255)]^t[512+(h>>>8&255)]^t[256+(h>>>16&255)]^t[h>>>24]}r+=4*o}for(;r<
s.length;r++)n=n>>>8^t[(n^s[r])&255];return~n>>>0}var k=64,rs=1380804913,en={generation:0,epoch:0,seq:0,length:0,sum:0};function tn(s){let e=new Uint8Array(k),t=new DataView(e.buffer);t.setUint32(0,rs);for(let[
n,r]of[s.generation,s.epoch,s.seq,s.length].entries())t.setUint32(8+8*n,Math.floor(r/2**32)),t.setUint32(12+8*n,r>>>0);return t.setUint32(56,s.sum),t.setUint32(
60,I(e.subarray(0,60))),e}function Pe(s){if(s.length<k)return;let e=new DataView(s.buffer,s.byteOffset,k);if(e.getUint32(0)!==rs||e.getUint32(60)!==I(s.subarray(
0,60)))return;let[t,n,r,i]=[8,16,24,32].map(o=>e.getUint32(o)*2**32+e.getUint32(o+4));if(![t,n,r,i].some(o=>o===0||!Number.isSafeInteger(o)))return{generation:t,
epoch:n,seq:r,length:i,sum:e.getUint32(56)}}function Ve(s){let e;for(let t of[0,1]){let n=Pe(s.subarray(t*k));n!==void 0&&n.generation>(e?.slot.generation??0)&&
(e={slot:n,place:t})}return e}async function is(s,e){let t=await nn(s,e),n=t===void 0?void 0:await s.open(e+E);if(t===void 0||n===void 0)return;let{epoch:r,seq:i,length:o}=t;return{epoch:r,seq:i,
length:o,read:(d,c)=>n.read(d,Math.max(0,Math.min(c,o-d))),close:()=>n.close()}}async function nn(s,e){let t=await pe(s,e+le,n=>n.read(0,2*k));return t===void 0?
void 0:Ve(t)?.slot}var Xe=10;async function os(s,e){let t=0,n=0,r=0,i=0;for await(let d of fe(s,0,e)){t=I(d,t);let c=d.lastIndexOf(Xe);if(c>=0){let h=c===0?-1:d.lastIndexOf(Xe,c-1);
r=h>=0?n+h+1:i,i=n+c+1}n+=d.length}let o={length:s.size,whole:i===e,seq:0,sum:t};return o.whole&&i-r<=T+1&&(o.seq=sn(await s.read(r,i-r))),o}function sn(s){let[
e]=new L().push(s);if(e===void 0||e instanceof C)return 0;try{return _(e.text).seq}catch{return 0}}async function as(s,{length:e,sum:t},n){let r=0,i=0,o=0,d=0,c=0,
h;for await(let g of fe(s,0,e))for(let y=0;y<g.length;){let m=g.indexOf(Xe,y)+1||g.length;i=I(g.subarray(y,m),i),r+=m-y,y=m,g[m-1]===Xe&&(++d===1&&(c=1+n-sn(await s.
read(0,r))),d===c&&sn(await s.read(o,r-o))===n&&(h={length:r,sum:i}),o=r)}return r===e&&i===t?h:void 0}async function ds(s){let e=Pe(await s.read(0,k));if(e?.generation!==
ee)return;let t=0;for await(let n of fe(s,k,s.size))t=I(n,t);return t===e.sum?{epoch:e.epoch,seq:e.seq,length:e.length,size:s.size-k}:void 0}async function us(s,e){
let t=await s.read(0,s.size),n=Pe(t);if(!(n?.generation!==ee||!Fe({...n,size:0},e)||n.sum!==I(t.subarray(k))))return{at:{epoch:n.epoch,seq:n.seq},bytes:t.subarray(
k)}}async function cs(s){let e=await s.read(0,s.size),t=Pe(e);if(t?.generation!==ee||t.sum!==I(e.subarray(k)))throw new x("unreadable","the checkpoint has anoth\
er checksum");return e.subarray(k)}var Ze=class{id;#e;#t;#n=en;#s=0;#r=0;#i;#a=!1;constructor(e,t,n){this.#e=e,this.id=t,this.#t=n}async look(){let e=await this.#h(le,i=>i.read(0,2*k)),t={type:"o\
pen",cached:!0,file:{length:0,whole:!1,seq:0,sum:0}},n=e===void 0?void 0:Ve(e);if(n!==void 0){let{epoch:i,seq:o,length:d,sum:c,generation:h}=n.slot;this.#n=n.slot,
this.#s=n.place,this.#r=h,t.index={epoch:i,seq:o,length:d,sum:c}}await this.#h(E,async i=>{t.file.length=i.size,n!==void 0&&i.size>=n.slot.length&&(t.file=await os(
i,n.slot.length))});let r=await this.#h(K,ds);return r===void 0?t:{...t,checkpoint:r}}async do(e){switch(e.type){case"store":return this.#o(e);case"cut":return this.#e.
cut(this.id+E,e.length);case"rewind":return this.#d(e);case"drop":return this.#u();case"drop_checkpoint":return this.#e.remove(this.id+K);case"evict":return this.#e.
evict();case"read":case"save":return}}async*lines(e){let t=await this.#e.files.open(this.id+E);if(t===void 0)throw new x("unreadable","there are no lines");let n=e.
after;try{let r=new L;for await(let o of fe(t,e.from,this.#n.length))for(let d of r.push(o)){let c=Ur(d);if(n>0&&c.event.seq!==n+1)throw new x("unreadable",`the\
 number ${c.event.seq} stands behind ${n}`);n=c.event.seq,yield c}let i=r.end();if(i!==void 0)throw new x("unreadable",i.message,i)}finally{await t.close()}if(n!==
this.#n.seq)throw new x("unreadable",`the lines end with the number ${n}, not with ${this.#n.seq}`)}async saveState(e,t){this.#l();let{epoch:n,seq:r}=this.#n;if(e.
epoch!==n||e.seq!==r)throw new Error(`cache: a state at ${e.epoch}.${e.seq}, and the lines end at ${n}.${r}`);let i=new TextEncoder().encode(t),o=tn({...this.#n,
generation:ee,sum:I(i)}),d=new Uint8Array(k+i.length);d.set(o),d.set(i,k);let c=this.id+K;try{await this.#e.write(c,0,d,!1),await this.#e.cut(c,d.length)}catch(h){
throw h instanceof x&&h.problem==="full"||await this.#e.remove(c).catch(()=>{}),h}return i.length}async state(){let e=await this.#h(K,cs);if(e===void 0)throw new x(
"unreadable","there is no checkpoint");return new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(e)}get seq(){return this.#n.seq}close(){this.#a||(this.#a=
!0,this.#t())}async#o(e){this.#l();let t=new TextEncoder().encode(e.lines.map(i=>`${i}
`).join("")),n=this.#n.length,r={generation:this.#r+1,epoch:e.at.epoch,seq:e.at.seq,length:n+t.length,sum:I(t,this.#n.sum)};try{await this.#e.write(this.id+E,n,
t,this.#e.flush)}catch(i){throw await this.#e.cut(this.id+E,n).catch(()=>{}),i}await this.#c(r)}async#c(e){let t=1-this.#s;await this.#e.write(this.id+le,t*k,tn(
e),!1),this.#n=e,this.#s=t,this.#r=e.generation}async#d({at:e}){this.#l();let t=await this.#h(E,n=>as(n,this.#n,e.seq));if(t===void 0)throw new x("unreadable",`\
there is no line ${e.seq}, or the lines are not as they were written`);await this.#c({generation:this.#r+1,...e,...t}),await this.#e.cut(this.id+E,t.length).catch(
()=>{})}async#u(){this.#a&&this.#l(),this.#n=en,this.#s=0,this.#i=void 0;try{await this.#e.removeSession(this.id)}catch(e){throw this.#i=e,e}}#l(){if(this.#a)throw new x(
"closed","the session was closed");if(this.#i!==void 0)throw this.#i}#h(e,t){return pe(this.#e.files,this.id+e,t)}};function Ur(s){if(s instanceof C)throw new x(
"unreadable",s.message,s);try{return{event:_(s.text),line:s.text}}catch(e){throw new x("unreadable","a line is no event",e)}}var Te=class s{#e;constructor(e){this.#e=e}static async on(e,t={}){let n=new Qe(e,t);return await n.look(),new s(n)}get size(){return this.#e.size}sessions(){return[
...this.#e.sizes.keys()].filter(t=>t.endsWith(E)).map(t=>t.slice(0,-E.length)).filter(rn).sort()}has(e){return this.#e.sizes.has(e+E)}async open(e){this.#t(e),this.#e.
open.add(e);let t=new Ze(this.#e,e,()=>this.#e.open.delete(e));try{let n=await t.look();return await this.#e.files.touch(e+E),{session:t,found:n}}catch(n){throw t.
close(),n}}async glance(e){return rn(e)?is(this.#e.files,e):void 0}async storedState(e){if(!this.#e.sizes.has(e+K))return;let t=await nn(this.#e.files,e),n=t===
void 0?void 0:await pe(this.#e.files,e+K,r=>us(r,t));return n===void 0?void 0:{at:n.at,state:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(n.bytes)}}async remove(e){
this.#t(e),await this.#e.removeSession(e)}async evict(){await this.#e.evict()}async close(){await this.#e.files.close()}#t(e){if(!rn(e)||this.#e.open.has(e))throw new Error(
`cache: session ${JSON.stringify(e.slice(0,64))} is open already, or no session`)}};function rn(s){return/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(s)}async function dn(s,e={}){let n=await(e.root??await Dr()).getDirectoryHandle(s,{create:!0}),r=await n.getFileHandle("lock",{create:!0}),i=await hs(r,`the folder\
 of ${s} is in use by another tab`);try{return await Te.on(new on(await n.getDirectoryHandle("sessions",{create:!0}),i),e)}catch(o){throw i.close(),o}}async function Dr(){return await navigator.storage.getDirectory()}var Wr=64,on=class{#e;#t;#n=new Map;#s=Promise.resolve();constructor(e,t){this.#e=e,this.#t=t}write(e,t,n,r){
return this.#r(e,!0,i=>{for(let o=0;o<n.length;){let d=i.write(n.subarray(o),{at:t+o});if(d<=0)throw new Error(`${e}: ${n.length-o} bytes were not written`);o+=
d}r&&i.flush()})}cut(e,t){return this.#r(e,!1,n=>n.truncate(t))}async open(e){let t=await this.#d(async()=>await this.#c(e)?this.#i(e,!1,r=>r.getSize()):void 0);
return t===void 0?void 0:{size:t,read:(r,i)=>this.#r(e,!1,o=>{let d=new Uint8Array(Math.max(0,Math.min(i,t-r)));return d.subarray(0,o.read(d,{at:r}))}),close:async()=>{}}}remove(e){
return this.#d(async()=>{this.#a(e),await this.#e.removeEntry(e).catch(t=>{if(!an(t,"NotFoundError"))throw t})})}touch(e){return this.#d(async()=>{await this.#c(
e)&&await this.#i(e,!1,t=>{let n=new Uint8Array(1);t.read(n,{at:0})===1&&t.write(n,{at:0})})})}list(){return this.#d(async()=>{let e=[];this.#o();for await(let t of this.#e.
values())if("getFile"in t&&!t.name.startsWith(".")){let{size:n,lastModified:r}=await t.getFile();e.push({name:t.name,size:n,used:r})}return e})}async close(){await this.#d(
async()=>{this.#o(),this.#t.close()})}#r(e,t,n){return this.#d(()=>this.#i(e,t,n))}async#i(e,t,n){let r=this.#n.get(e)??await hs(await this.#e.getFileHandle(e,{
create:t}),`${e} is open elsewhere`);return this.#n.delete(e),this.#n.set(e,r),this.#n.size>Wr&&this.#a(this.#n.keys().next().value),n(r)}#a(e){this.#n.get(e)?.
close(),this.#n.delete(e)}#o(){for(let e of[...this.#n.keys()])this.#a(e)}async#c(e){if(this.#n.has(e))return!0;try{return await this.#e.getFileHandle(e),!0}catch(t){
if(an(t,"NotFoundError"))return!1;throw t}}#d(e){let t=this.#s.then(e);return this.#s=t.catch(()=>{}),t}};async function hs(s,e){try{return await s.createSyncAccessHandle()}catch(t){
throw an(t,"NoModificationAllowedError")?new x("locked",e,t):t}}function an(s,e){return s instanceof Error&&s.name===e}var Br=50,zr=100;async function ls(s,e){try{let t=await navigator.storage.getDirectory(),n=Ae+s;return await Kr(t,n),{folder:await Jr(n,e),...Gr(await t.getDirectoryHandle(
n))}}catch{return}}async function Jr(s,e){for(let t=1;;t++)try{return await dn(s,{budget:e})}catch(n){if(!(n instanceof x)||n.problem!=="locked"||t===Br)throw n;
await new Promise(r=>setTimeout(r,zr))}}async function Kr(s,e){let t=[];for await(let{name:n}of s.values())n.startsWith(Ae)&&n!==e&&t.push(n);for(let n of t)await s.
removeEntry(n,{recursive:!0}).catch(()=>{})}function Gr(s){let e=["roster.0","roster.1"],t=0,n=async r=>{try{let i=await(await s.getFileHandle(r)).getFile(),o=JSON.
parse(await i.text());return Array.isArray(o.sessions)&&typeof o.at=="number"?o:void 0}catch{return}};return{roster:async()=>{let[r,i]=await Promise.all(e.map(n));
return t=(r?.at??0)>(i?.at??0)?1:0,t===1?r:i},keepRoster:async(r,i)=>{let o=await(await s.getFileHandle(e[t],{create:!0})).createSyncAccessHandle();try{let d=new TextEncoder().
encode(JSON.stringify({at:i,sessions:r}));o.truncate(0);for(let c=0;c<d.length;){let h=o.write(d.subarray(c),{at:c});if(h<=0)throw new Error("the list was not w\
ritten");c+=h}t=1-t}finally{o.close()}}}}function ps(s){return async(e,t)=>{let n=new URL(e).pathname==="/stream";try{let r=await fetch(e,t);return n&&s(r.ok?"live":"away"),r}catch(r){throw n&&!t.signal.
aborted&&s("away"),r}}}var Ye=class{#e;#t=[];#n=0;#s=0;#r=new Map;#i=0;constructor(e){this.#e=e}get size(){return this.#n+this.#i}put(e,t=200){this.#t.push(e),this.#n+=t}line(e,t,n){let r=this.#t.
at(-1);r?.type==="lines"&&r.id===e&&r.epoch===t.epoch&&r.from+r.lines.length===t.seq?r.lines.push(n):this.#t.push({type:"lines",id:e,epoch:t.epoch,from:t.seq,lines:[
n]}),this.#n+=100+n.length}overflow(e){let{delta:t}=e.overflow;this.put(e,200+("text"in t?t.text.length:0))}flush(){if(this.#t.length===0)return;let e=++this.#s;
this.#r.set(e,this.#n),this.#i+=this.#n;let t=this.#t;this.#t=[],this.#n=0,this.#e({n:e,told:t})}taken(e){for(let[t,n]of this.#r){if(t>e)break;this.#r.delete(t),
this.#i-=n}}};var fs={epoch:1,seq:0};function un(s,e){return s.seq===0||e.seq===0?s.seq<e.seq:s.epoch<e.epoch||s.epoch===e.epoch&&s.seq<e.seq}var et=class{stage="begin";at=fs;wants(e){
return this.stage==="lines"||this.stage==="behind"?!1:(e===null?this.stage="begin":this.goOn(e),!0)}begin(){this.stage="begin",this.at=fs}goOn(e){this.stage="li\
nes",this.at=e}isNext(e){return e.seq===this.at.seq+1&&(this.at.seq===0||e.epoch===this.at.epoch)}};var tt=class{#e=new Map;#t=0;get asOf(){return this.#t}get sessions(){return[...this.#e.values()]}get latest(){return this.sessions.sort((e,t)=>Date.parse(t.updatedAt)-
Date.parse(e.updatedAt)).map(e=>e.id)}replace(e,t){this.#e.clear(),e.forEach(n=>this.put(n)),this.#t=t}put(e){this.#e.set(e.id,e)}delete(e){this.#e.delete(e)}seq(e){
return this.#e.get(e)?.seq??(this.#t===void 0?0:void 0)}isNear(e,t){return(this.seq(e)??0)-t<=5e3}};var nt=class{#e;#t=new Map;constructor(e){this.#e=e}get ids(){return this.#t.keys()}stage(e){return this.#t.get(e)}glance(e){this.#t.set(e,"glancing"),this.#e.glance(
e)}glanced(e){return this.#t.get(e)!=="glancing"?!1:(this.#t.set(e,"glanced"),!0)}follow(e){let t=this.#t.get(e);t!=="opening"&&t!=="open"&&(this.#t.set(e,"open\
ing"),this.#e.follow(e))}opened(e){return this.#t.get(e)!=="opening"?!1:(this.#t.set(e,"open"),!0)}keep(e){for(let t of[...this.#t.keys()].filter(n=>!e(n)))this.#t.
delete(t),this.#e.unfollow(t)}};var st=class{#e;#t;#n=new Map;#s;#r=new tt;#i="connecting";#a;#o;#c;constructor(e,t,n){this.#e=e,this.#o=t,this.#t=n,this.#s=new nt(n)}get known(){let{latest:e}=this.#r;
return[...[...this.#s.ids].filter(t=>!e.includes(t)),...e]}reading(e){let t=this.#r.seq(e)??1/0,n=this.#e.at(e)?.seq??0;return this.#i==="away"||this.#s.stage(e)===
void 0||n>=t?void 0:{seq:n,of:t}}get roster(){return this.#r.sessions}get since(){return this.#a}join(e){this.leave(e);let t={places:new Map,out:new Ye(n=>this.#t.
send(e,n)),owesRoster:!1};this.#n.set(e,t),t.out.put({type:"keeps",keeps:this.#o}),this.#r.asOf!==0&&t.out.put(this.#E()),t.out.put(this.#x()),this.#c!==void 0&&
t.out.put(this.#c)}leave(e){this.#n.delete(e)&&this.#l()}ask(e,t){let n=this.#n.get(e);if(n!==void 0)switch(t.type){case"want":return this.#d(n,t.at);case"taken":
return n.out.taken(t.n),this.#S(n);case"wake":return this.#t.wake()}}answer(e,t){this.#n.get(e)?.out.put(t,t.type==="past"?262144:400*(1+t.hits.length))}glanced(e,t){
let n=this.#s.glanced(e);this.#m(e,(r,i)=>{let o=i.stage==="begin"&&this.#s.stage(e)!=="open";o&&typeof t=="object"&&this.#p(e,t.at)?this.#v(r,e,i,t.at,t.state):
o&&n&&(t==="lines"||this.#i==="away")?this.#s.follow(e):o&&n&&this.#f(r,e,i)})}opened(e){this.#s.opened(e)&&this.#m(e,(t,n)=>this.#h(t,e,n))}take(e){switch(e.type){case"\
session":return this.#r.put(e.session),this.#w({type:"session",session:e.session});case"gone":return this.#r.delete(e.id),this.#w({type:"gone",id:e.id});case"li\
ne":return this.#m(e.id,(t,n)=>this.#g(t,e.id,n,e.at,e.line));case"overflow":return this.#m(e.id,({out:t},{stage:n})=>n==="lines"&&t.size<=1048576?t.overflow(e):
void 0);case"restored":return this.#m(e.id,(t,n)=>this.#h(t,e.id,n));case"reset":return this.#m(e.id,(t,n)=>{(n.stage==="lines"||n.stage==="behind")&&(t.out.put(
{type:"reset",id:e.id,at:n.at}),n.begin(),this.#h(t,e.id,n))});case"notice":return this.#m(e.id,t=>t.out.put({type:"notice",id:e.id,notice:e.notice}))}}list(e,t){
this.#r.replace(e,t);for(let n of this.#n.values())n.out.put(this.#E())}link(e,t){if(e===this.#i)return!1;this.#a=e==="away"&&this.#i==="live"?t:void 0,this.#i=
e;for(let n of this.#n.values()){n.out.put(this.#x());for(let[r,i]of n.places)(i.stage==="none"||e==="away"&&i.stage==="daemon")&&(i.begin(),this.#u(n,r,i))}return!0}refused(e,t){
this.#c={type:"refused",why:e,isOver:t};for(let n of this.#n.values())n.out.put(this.#c)}flush(){for(let e of this.#n.values())e.out.flush()}#d(e,t){for(let n of e.
places.keys())Object.hasOwn(t,n)||e.places.delete(n);for(let[n,r]of Object.entries(t)){let i=e.places.get(n);i===void 0&&e.places.set(n,i=new et),r!==null&&this.#s.
follow(n),i.wants(r)&&this.#u(e,n,i)}this.#l()}#u(e,t,n){let r=this.#s.stage(t);r==="open"||n.stage!=="begin"?this.#h(e,t,n):r==="glanced"&&this.#i==="away"?this.#s.
follow(t):(r===void 0||r==="glanced")&&this.#s.glance(t)}#l(){this.#s.keep(e=>[...this.#n.values()].some(({places:t})=>t.has(e)))}#h(e,t,n){if(this.#s.stage(t)!==
"open")return;let r=this.#e.at(t)??{epoch:1,seq:0};n.stage==="lines"?un(n.at,r)&&this.#y(e,t,n,r):n.stage==="begin"&&(r.seq>0&&this.#p(t,r)?this.#y(e,t,n,r):this.#i===
"away"?(n.stage="none",e.out.put({type:"none",id:t})):this.#f(e,t,n))}#p(e,t){return this.#i==="away"||this.#r.isNear(e,t.seq)}#f(e,t,n){n.stage="daemon",e.out.
put({type:"ask",id:t})}#v(e,t,n,r,i){n.goOn(r),e.out.put({type:"state",id:t,at:r,state:i},262144)}#y(e,t,n,r){if(e.out.size>1048576){n.stage="behind";return}let i=this.#e.
state(t);i===void 0?this.#f(e,t,n):this.#v(e,t,n,r,i)}#g(e,t,n,r,i){n.stage!=="lines"||!un(n.at,r)||(n.isNext(r)?e.out.size>1048576?n.stage="behind":(n.at=r,e.out.
line(t,r,i)):this.#h(e,t,n))}#S(e){if(!(e.out.size>1048576/2)){e.owesRoster&&(e.owesRoster=!1,e.out.put(this.#E()));for(let[t,n]of e.places)n.stage==="behind"&&
(n.stage="lines",this.#h(e,t,n))}}#w(e){for(let t of this.#n.values())t.owesRoster||t.out.size>1048576?t.owesRoster=!0:t.out.put(e)}#x(){return{type:"link",link:this.#i,
...this.#a===void 0?{}:{since:this.#a}}}#E(){let{sessions:e,asOf:t}=this.#r;return{type:"roster",sessions:e,...t===void 0?{}:{asOf:t}}}#m(e,t){for(let n of this.#n.
values()){let r=n.places.get(e);r!==void 0&&t(n,r)}}};function ys(s){if(!(s instanceof Error))return String(s);if(s.name==="Unreachable")return"The daemon does not answer.";let e="hint"in s&&typeof s.hint=="string"?
s.hint:"";return[gs(s.message),e===""?"":gs(e)].filter(t=>t!=="").join(" ")}function gs(s){let e=s.charAt(0).toUpperCase()+s.slice(1);return/[.!?]$/.test(e)?e:`${e}\
.`}var rt=class{#e;#t=new Set;constructor(e){this.#e=e}wait(e,t){let n=this.#e(e);if(!(n===void 0||t.aborted))return new Promise(r=>{let i=()=>{clearTimeout(o.timer),
this.#t.delete(o),t.removeEventListener("abort",i),r()},o={id:e,...n,end:i,timer:setTimeout(i,1e4)};this.#t.add(o),t.addEventListener("abort",i)})}look(){for(let e of this.#t){
let t=this.#e(e.id);t===void 0||t.seq>=Math.min(e.of,t.of)?e.end():t.seq!==e.seq&&(e.seq=t.seq,clearTimeout(e.timer),e.timer=setTimeout(e.end,1e4))}}};var Qr=65536,Vr=1<<20,Xr=24,ws=32<<20,Zr=4,Yr=8,it=class{#e;#t;#n=new Map;constructor(e,t){this.#e=e,this.#t=t}async state(e,t,n){let r=await this.#e.glance(e);
if(r===void 0)return;let i;try{i=r.epoch===t.epoch&&r.seq>=t.seq&&t.seq>0?await this.#r(e,r,t,n):void 0}catch{}finally{await r.close()}if(await this.#s(e,r))return i;
this.#n.delete(e)}async#s(e,t){let n=await this.#e.glance(e);return await n?.close(),n!==void 0&&n.epoch===t.epoch&&n.length>=t.length}async#r(e,t,n,r){let i=this.#n.
get(e),o=i?.epoch===t.epoch?i:{epoch:t.epoch,marks:[]};this.#n.delete(e),this.#n.set(e,o),this.#n.size>Zr&&this.#n.delete(this.#n.keys().next().value);let d=o.marks.
findLast(m=>m.seq<=n.seq),c=new j(d===void 0?void 0:Z(d.state)),h=d?.seq??0,g=new Uint8Array,y=this.#t.now();for(let m=d?.at??0;h<n.seq&&m<t.length;){let O=await t.
read(m,Qr);if(O.length===0)return;m+=O.length;let G=O.lastIndexOf(10)+1;if(G>0){let Ps=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(bs(g,O.subarray(0,
G))).split(`
`);for(let ft of Ps)if(ft!==""&&h<n.seq){if(ei(ft)!==++h)return;ti(c,ft)}}if(g=bs(G>0?new Uint8Array:g,O.subarray(G)),h<n.seq&&this.#i(o,c,h,m-g.length,t),this.#t.
now()-y>=Yr&&(await this.#t.rest(),y=this.#t.now()),r.aborted)return}return h===n.seq?vs(c,t.epoch):void 0}#i(e,t,n,r,i){let o=e.marks.at(-1);if(r-(o?.at??0)<Math.
max(Vr,i.length/Xr))return;let d=vs(t,i.epoch);if(!(d===void 0||d.length>ws/4))for(e.marks.push({seq:n,at:r,state:d});;){let c=[...this.#n.values()].map(g=>({r:g,
size:g.marks.reduce((y,m)=>y+m.state.length,0)}));if(c.reduce((g,{size:y})=>g+y,0)<=ws)return;let{r:h}=c.reduce((g,y)=>y.size>g.size?y:g);h.marks=h.marks.filter(
(g,y)=>y%2===1)}}};function bs(s,e){let t=new Uint8Array(s.length+e.length);return t.set(s),t.set(e,s.length),t}function ei(s){let e=/^\{"seq":([0-9]{1,16}),/.exec(
s);return e===null?JSON.parse(s).seq:Number(e[1])}function ti(s,e){try{s.apply(_(e))}catch(t){if(!(t instanceof f))throw t}}function vs(s,e){if(s.state.sessionId!==
"")return z({...s.toJSON(),epoch:e})}var ni=10,ot=class{#e=[];#t=0;#n=new TextDecoder;take(e){let t=e.indexOf(ni);if(t<0)return this.#s(e),[];let n=this.#r(e.subarray(t+1));return this.#s(e.subarray(
0,t)),n}end(){return this.#r(new Uint8Array)}#s(e){this.#t+e.length>T&&(this.#e=[],this.#t=0),this.#e.push(e),this.#t+=e.length}#r(e){let t=new Uint8Array(e.length+
this.#t);t.set(e);let n=e.length;for(let r of this.#e.reverse())t.set(r,n),n+=r.length;return this.#e=[],this.#t=0,this.#n.decode(t).split(`
`).filter(r=>r!=="").reverse()}};function Ss(s){switch(s.entryType){case"user_message":case"assistant_message":case"system":return s.data.text;case"thinking":return s.data.text||(s.data.summary??
[]).join(`
`);case"tool_call":return[s.data.toolName,s.data.command??s.data.arguments??"",s.data.diff??"",s.data.output??""].join(`
`);case"tool_result":return s.data.output;case"plan":return[s.data.text??"",...(s.data.steps??[]).map(e=>e.text)].join(`
`);case"compaction":return s.data.summary;default:return""}}var si=16<<20,ri=/^\{"seq":\d+,"ts":(\d+),"type":"(entry_start|entry_delta|entry_end|[a-z_]+)",(?:"turnId":"[^"\\]*",)?(?:"entryId":"([^"\\]*)",)?/,at=class{#e;#t=new Set;#n=new Map;#s=0;constructor(e){
this.#e=e}take(e){let t=ri.exec(e),n=t!==null&&t[3]!==void 0?{ts:Number(t[1]),type:t[2],entryId:t[3]}:t!==null&&!t[2].startsWith("entry_")?void 0:oi(e);if(!(n===
void 0||this.#t.has(n.entryId)))switch(n.type){case"entry_end":return this.#t.add(n.entryId),this.#i(n.entryId),this.#e.mayBeIn(e)?this.#a(n,ai(e)):void 0;case"\
entry_delta":this.#r(n.entryId,e);return;case"entry_start":return this.#t.add(n.entryId),this.#a(n,di([e,...this.#i(n.entryId).reverse()],n.entryId))}}#r(e,t){let n=this.#n.
has(e)?this.#n.get(e):[];n!==void 0&&this.#s+t.length>si?(this.#i(e),this.#n.set(e,void 0)):n!==void 0&&(n.push(t),this.#s+=t.length,this.#n.set(e,n))}#i(e){let t=this.#n.
get(e)??[];return this.#n.delete(e),this.#s-=t.reduce((n,r)=>n+r.length,0),t}#a({ts:e,entryId:t},n){return n===void 0?void 0:cn(this.#e,{...n,entryId:t,ts:e})}};
function cn(s,e){let t=ii(e);if(t===""||!s.isIn(t))return;let n=e.entryType==="tool_call"?String(e.data.toolName??"").slice(0,80):"";return{entryId:e.entryId,kind:e.
entryType,ts:e.ts,parts:s.snippet(t),...n===""?{}:{tool:n}}}function ii(s){try{let e=Ss(s);return typeof e=="string"?e:""}catch{return""}}function oi(s){try{let{
ts:e,type:t,entryId:n}=JSON.parse(s);return typeof e=="number"&&typeof t=="string"&&typeof n=="string"?{ts:e,type:t,entryId:n}:void 0}catch{return}}function ai(s){
try{let{entryType:e,data:t}=JSON.parse(s);return typeof t=="object"&&t!==null?{entryType:e,data:t}:void 0}catch{return}}function di(s,e){let t=new j;for(let n of s)
try{t.apply(_(n))}catch{}return t.entry(e)}var ui=/^[A-Za-z0-9_.,:-]+$/,dt=class{#e;#t;#n;constructor(e){let t=e.split(/\s+/).filter(r=>r!=="").slice(0,12).map(r=>r.slice(0,100)),n=t.map(r=>r.replace(/[\\^$.*+?()[\]{}|/]/g,
"\\$&"));this.#e=n.map(r=>new RegExp(r,"iu")),this.#t=new RegExp(n.join("|"),"giu"),this.#n=this.#e.filter((r,i)=>ui.test(t[i]))}get isEmpty(){return this.#e.length===
0}isIn(e){return this.#e.every(t=>t.test(e))}mayBeIn(e){return this.#n.every(t=>t.test(e))}snippet(e){let t=e.search(this.#e[0]),n=xs(e,Math.max(0,t-32)),r=xs(e,
Math.min(e.length,t+140)),i=e.slice(n,r),o=n>0?[{text:"…"}]:[],d=0;for(let c of i.matchAll(this.#t))o.push({text:i.slice(d,c.index)},{text:c[0],isHit:!0}),d=c.
index+c[0].length;return o.push({text:i.slice(d)+(r<e.length?"…":"")}),o.map(c=>({...c,text:c.text.replace(/\s+/g," ")})).filter(c=>c.text!=="")}};function xs(s,e){
return/[\udc00-\udfff]/.test(s.charAt(e))&&e>0?e-1:e}var ci=10,ks=200,Os=262144,hi=8,li=200,ut=class{#e;#t;#n;#s;#r;#i={kept:0,searched:0,bytes:0,stage:"goes on"};#a=0;#o=0;#c=0;constructor(e,t,n,r,i){this.#r=new dt(
e),this.#e=t,this.#t=n,this.#n=r,this.#s=i}async run(){let e=this.#r.isEmpty?[]:this.#e.ids();this.#i.kept=e.length,this.#o=this.#c=this.#t.now();let t=[];for(let n of e){
let r=this.#e.arrival(n);if(r!==void 0)t.push({id:n,arrival:r});else if(!await this.#d(n))return}for(let{id:n,arrival:r}of t)if(this.#f(),await r,!await this.#d(
n))return;this.#i.stage="over",this.#f()}async#d(e){let t=await this.#u(e);return this.#n.aborted?!1:(this.#i.searched++,this.#a+=t.length,this.#a>=ks&&(this.#i.
stage="full"),t.length>0&&this.#f(e,t),this.#i.stage!=="full")}async#u(e){let t=Math.min(ci,ks-this.#a);try{let n=this.#e.entries(e);return await(n===void 0?this.#h(
e,t):this.#l(n,t))}catch{return[]}}async#l(e,t){let n=[];for(let r=e.length-1;r>=0&&n.length<t;r--){let i=e[r],o=cn(this.#r,{...i,ts:i.endTs??i.startTs});if(o!==
void 0&&n.push(o),!await this.#p())break}return n}async#h(e,t){let n=[],r=await this.#e.folder?.glance(e);if(r===void 0)return n;try{let i=new ot,o=new at(this.#r);
for(let d=r.length;d>0&&n.length<t&&await this.#p();d-=Math.min(Os,d)){let c=Math.max(0,d-Os),h=await r.read(c,d-c);if(h.length<d-c)break;this.#i.bytes+=h.length;
for(let g of c===0?[...i.take(h),...i.end()]:i.take(h)){let y=o.take(g);y!==void 0&&n.length<t&&n.push(y)}}}finally{await r.close()}return n}async#p(){let e=this.#t.
now();return e-this.#o>=hi&&(e-this.#c>=li&&this.#f(),await this.#t.rest(),this.#o=this.#t.now()),!this.#n.aborted}#f(e,t=[]){this.#c=this.#t.now(),this.#s({...e===
void 0?{}:{id:e},hits:t,progress:{...this.#i}})}};var pi=4,ct=class{#e;#t={now:()=>performance.now(),rest:fi};#n;#s;#r=new Map;#i=new Set;#a=Promise.resolve();constructor(e){this.#e=e,this.#s=new rt(e.reading),
this.#n=e.folder===void 0?void 0:new it(e.folder,this.#t)}ask(e,t){if(t.type==="drop"){for(let[d,{n:c,end:h}]of this.#r)d.startsWith(`${e}/`)&&c===t.n&&(h.abort(),
this.#r.delete(d));return}let n=t.type==="past"?`${e}/past/${t.id}`:`${e}/${t.type}`;this.#r.get(n)?.end.abort(),this.#r.delete(n);let r=t.type==="past"?[...this.#r].
filter(([d])=>d.startsWith(`${e}/past/`)):[];for(let[d,{end:c}]of r.slice(0,Math.max(0,r.length-pi+1)))c.abort(),this.#r.delete(d);let i=new AbortController;this.#r.
set(n,{n:t.n,end:i});let o=(t.type==="search"?this.#o(e,t,i.signal):this.#a=this.#a.then(()=>this.#c(e,t,i.signal))).finally(()=>{this.#i.delete(o),this.#r.get(
n)?.end===i&&this.#r.delete(n)});this.#i.add(o)}look(){this.#s.look()}leave(e){for(let[t,{end:n}]of this.#r)t.startsWith(`${e}/`)&&(n.abort(),this.#r.delete(t))}async close(){
this.#r.forEach(({end:e})=>e.abort()),this.#r.clear(),await this.settled}get settled(){return Promise.allSettled(this.#i)}async#o(e,{n:t,words:n},r){let{folder:i,
at:o,state:d,known:c,answer:h}=this.#e;await this.#e.ready;let g=m=>(o(m)?.seq??0)>0,y={folder:i,entries:m=>g(m)?d(m)?.entries:void 0,ids:()=>{let m=new Set(i?.
sessions()??[]);return c().filter(O=>m.has(O)||g(O)||this.#e.reading(O)!==void 0)},arrival:m=>this.#s.wait(m,r)};await new ut(n,y,this.#t,r,m=>{r.aborted||h(e,{
type:"found",n:t,...m})}).run()}async#c(e,{n:t,id:n,at:r},i){if(i.aborted)return;let o=await this.#d(n,r,i).catch(()=>{});i.aborted||this.#e.answer(e,{type:"pas\
t",n:t,...o===void 0?{}:{state:o}})}async#d(e,t,n){let r=this.#e.at(e),i=r?.epoch===t.epoch&&r.seq===t.seq?this.#e.state(e):void 0;return i!==void 0&&i.sessionId!==
""?z(i):this.#n?.state(e,t,n)}};function fi(){return new Promise(s=>{let{port1:e,port2:t}=new MessageChannel;t.onmessage=()=>{e.close(),s()},e.postMessage(null)})}function Es(s){let{port1:e,port2:t}=new MessageChannel,n=!1;return t.onmessage=()=>{n=!1,s()},()=>{n||(n=!0,e.postMessage(null))}}var mi=5e3,ht=class{#e;#t;#n;#s;#r;#i=!1;#a=!1;#o=Promise.resolve();#c;#d;#u=Es(()=>{this.#n.flush(),this.#s.look()});constructor(e,t,n){this.#e=t;let r=ps(o=>{
this.#a=this.#n.link(o,Date.now())||this.#a,this.#u()}),i=new Ee({base:location.origin,token:e,fetch:r});this.#t=new Ce(i,{follow:"asked",states:!0,...t===void 0?
{}:{cache:t.folder}}),this.#n=new st({at:o=>this.#t.at(o),state:o=>this.#S(o)},t===void 0?"memory":"disk",{send:n,glance:o=>{this.#g(o).then(d=>{this.#n.glanced(
o,d),this.#u()})},follow:o=>{this.#t.follow(o).then(()=>{this.#n.opened(o),this.#u()})},unfollow:o=>this.#t.unfollow(o),wake:()=>this.#t.wake()}),this.#d=this.#l(),
this.#s=new ct({folder:t?.folder,at:o=>this.#t.at(o),state:o=>this.#t.state(o),known:()=>this.#n.known,reading:o=>this.#n.reading(o),ready:this.#d,answer:(o,d)=>{
this.#n.answer(o,d),this.#u()}}),this.#c=setInterval(()=>this.#w(),mi),this.#p(),this.#r=this.#h()}async#l(){let e=await this.#e?.roster();e!==void 0&&(this.#n.
list(e.sessions,e.at),this.#u())}async#h(){await this.#d,this.#t.synced.then(()=>this.#v(),()=>{});try{await this.#t.run()}catch(e){this.#n.link("away",Date.now()),
this.#n.refused(ys(e),e instanceof F&&e.status===401),this.#u()}}join(e){this.#s.leave(e),this.#n.join(e),this.#u()}leave(e){this.#s.leave(e),this.#n.leave(e)}ask(e,t){
if(t.type==="search"||t.type==="past"||t.type==="drop")return this.#s.ask(e,t);this.#n.ask(e,t),this.#u()}async close(){clearInterval(this.#c),this.#w(),await this.#t.
close(),await this.#r,await this.#o,await this.#s.close(),await this.#e?.folder.close()}async#p(){try{for await(let e of this.#t.changes())this.#f(e)}catch{}}#f(e){
this.#n.take(e),this.#u(),(e.type==="session"||e.type==="gone")&&(this.#a=!0),e.type==="gone"&&this.#i&&this.#y(e.id)}#v(){let e=this.#t.roster();this.#i=this.#a=
!0,this.#n.list(e),this.#u();let t=new Set(e.map(n=>n.id));for(let n of this.#e?.folder.sessions()??[])t.has(n)||this.#y(n);this.#w()}#y(e){this.#e?.folder.remove(
e).catch(()=>{})}async#g(e){let t=this.#e?.folder;return await t?.storedState(e).catch(()=>{})??(t?.has(e)===!0?"lines":void 0)}#S(e){try{let t=this.#t.state(e);
return t===void 0?void 0:z(t)}catch{return}}#w(){if(this.#a&&this.#i&&this.#e!==void 0){this.#a=!1;let{roster:e,since:t=Date.now()}=this.#n;this.#o=this.#o.then(
()=>this.#e.keepRoster(e,t)).catch(()=>{})}}};function Cs(){return crypto.getRandomValues(new Uint32Array(4)).reduce((s,e)=>s+e.toString(16).padStart(8,"0"),"")}var lt=class{#e;#t;#n;#s=new Me;#r=new AbortController;#i;#a;#o;#c;#d;#u=new Map;#l;#h=Promise.
resolve();constructor(e,t,n){this.#e=e,this.#t=t,this.#n=n,this.#i=t.principal!==""&&navigator.locks!==void 0&&typeof BroadcastChannel<"u",this.#i?this.#f():this.#g(
[{type:"alone"}])}ask(e){this.#a!==void 0?this.#a.ask(this.#e,e):this.#d?.postMessage({tab:this.#e,ask:e})}async close(){clearInterval(this.#l),await this.#a?.close(),
await this.#h,this.#r.abort();for(let e of[this.#o,this.#c,this.#d,...this.#u.values()])e?.close()}#p(e){return ln(this.#t.principal,this.#t.build,e)}#f(){this.#c=
new BroadcastChannel(this.#p(this.#e)),this.#c.onmessage=({data:e})=>"tab"in e?this.#k(e):this.#C(e),this.#o=new BroadcastChannel(this.#p("hall")),this.#o.onmessage=
({data:e})=>{e.type==="leader"?this.#g([{type:"ping"}]):this.#s.role==="leads"&&this.#E(e.tab)},this.#v(this.#p(this.#e),()=>this.#g([{type:"ping"}])),this.#v(this.#p(
"leader"),()=>this.#y({type:"granted"})),this.#l=setInterval(()=>this.#y({type:"tick"}),5e3)}#v(e,t){let{signal:n}=this.#r;navigator.locks.request(e,{signal:n},
()=>(t(),new Promise(r=>n.addEventListener("abort",()=>r())))).catch(()=>{})}#y(e){this.#r.signal.aborted||this.#g(this.#s.step(e))}#g(e){for(let t of e)switch(t.
type){case"ping":this.#o?.postMessage({type:"hello",tab:this.#e});break;case"stop":this.#h=this.#a?.close()??Promise.resolve(),this.#a=void 0;break;case"follow":
this.#d?.close(),this.#d=new BroadcastChannel(this.#p(t.leader)),this.#x("follows"),this.#d.postMessage({tab:this.#e,ask:{type:"join"}});break;case"alone":this.#a=
this.#w(void 0),this.#x("alone"),this.#a.join(this.#e);break;case"lead":this.#S()}}async#S(){this.#d?.close(),this.#d=void 0,await this.#h;let e=await ls(this.#t.
principal,this.#t.budget);if(this.#r.signal.aborted){await e?.folder.close();return}this.#a=this.#w(e),this.#x("leads"),this.#a.join(this.#e),this.#o.postMessage(
{type:"leader"})}#w(e){return new ht(this.#t.token,e,(t,n)=>t===this.#e?this.#n(n):this.#u.get(t)?.postMessage({leader:this.#e,batch:n}))}#x(e){this.#n({n:0,told:[
{type:"source",role:e}]})}#E(e){if(this.#a===void 0||e===this.#e)return;let t=this.#u.get(e);t===void 0&&(this.#u.set(e,t=new BroadcastChannel(this.#p(e))),navigator.
locks.request(this.#p(e),{signal:this.#r.signal},()=>this.#m(e)).catch(()=>{})),t.postMessage({leader:this.#e})}#m(e){this.#u.get(e)?.close(),this.#u.delete(e),
this.#a?.leave(e)}#k({tab:e,ask:t}){this.#s.role!=="leads"||!this.#u.has(e)||(t.type==="join"?this.#a?.join(e):this.#a?.ask(e,t))}#C({leader:e,batch:t}){t===void 0?
this.#y({type:"heard",leader:e}):this.#s.role==="follows"&&e===this.#s.leader&&this.#n(t)}};var pt=self,hn;pt.onmessage=({data:s})=>{switch(s.type){case"begin":hn=new lt(Cs(),s,e=>pt.postMessage(e));return;case"close":(hn?.close()??Promise.resolve()).finally(
()=>{pt.postMessage("closed"),pt.close()});return;default:hn?.ask(s)}};})();
