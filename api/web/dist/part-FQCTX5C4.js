/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as on,b as an}from"./part-HOSYZYDA.js";import{c as sn,d as Ue,e as ye}from"./part-LRED2DU6.js";import{c as rn}from"./part-S5T474SM.js";
import{a as Vt,c as Fe,e as Xe,g as Yt,i as en,k}from"./part-LMNZKLVE.js";import{b as tn,d as nn}from"./part-QM4WH6KA.js";import{a as R,b as Kt,e as Gt,
f as ne,g as rt,h as P,i as qe,m as le,o as N,r as l}from"./part-WMXWHT22.js";var O=class extends Error{name="EventSyntaxError";problem;path;constructor(e,n=""){super(n===""?`event: ${e}`:`event: ${n}: ${e}`),this.problem=e,this.path=n}},
ue=class extends Error{name="CursorError";text;constructor(e,n){super(`cursor ${JSON.stringify(e.slice(0,64))}: ${n}`),this.text=e.slice(0,64)}},ce=class extends Error{name="\
LineError";line;problem;constructor(e,n,r){super(`line ${e}: ${r===void 0?n:r.message}`,{cause:r}),this.line=e,this.problem=n}},Re=class extends Error{name="Fra\
meError";id;problem;constructor(e,n,r){super(`frame ${JSON.stringify(e.slice(0,64))}: ${r===void 0?n:r.message}`,{cause:r}),this.id=e,this.problem=n}};function Or(t){return t.epoch>1?`${t.epoch}.${t.seq}`:`${t.seq}`}function un(t){let e=t.indexOf("."),n=e<0?1:ln(t.slice(0,e)),r=ln(t.slice(e+1));if(n===void 0||
n===0||r===void 0)throw new ue(t,"want SEQ or EPOCH.SEQ");if(e>=0&&n===1)throw new ue(t,"in epoch 1 the cursor is the bare number");return{epoch:n,seq:r}}function qr(t){
let e=t.lastIndexOf("/");if(e<1)throw new ue(t,"want SESSION/CURSOR");return{sessionId:t.slice(0,e),cursor:un(t.slice(e+1))}}function ln(t){let e=Number(t);return/^(0|[1-9][0-9]{0,15})$/.
test(t)&&Number.isSafeInteger(e)?e:void 0}var $e=["user_message","assistant_message","thinking","tool_call","tool_result","plan","compaction","system"];var cn=["starting","idle","queued","responding","retrying","compacting","running_tool","awaiting_approval","awaiting_input","interrupting","completed","terminat\
ed","failed"];function pn(t){return t==="completed"||t==="terminated"||t==="failed"}var dn=["idle","queued","responding","running_tool"],st=["pending","awaiting\
_approval","running","completed","error"],Ce=["completed","interrupted","error"],Ie=["user","parent","daemon","agent","lost","budget"],it=["completed","terminat\
ed","error"],ot=["steer","followUp"],hn=["approval","question","elicitation","caller_tool"],fn=["allowed","denied","answered","failed","cancelled","expired"],gn=[
"read","search","edit","execute","fetch","other"],at=["ask","allow_reads","allow_all","deny_all"],He=["allow","deny","deny_stop","ask"],lt=["warn","pause","inte\
rrupt","end"],mn=["session","tree","owner"],kn=["tokens","costMicros","workMs","turns","toolCalls","children"],bn=["warned","reached","lifted"],yn=["dispatched",
"cancelled"];var re=16*1024*1024,ut=64,ct=65536,pe=class extends Number{source;constructor(e){super(e),this.source=e}toJSON(){return wn===void 0?this.valueOf():wn(this.source)}},
wn=JSON.rawJSON;function pt(t,e){let n=$r(t,e),r;try{r=n?JSON.parse(t,Rr):JSON.parse(t)}catch{throw new O("no JSON")}if(!dt(r))throw new O("want an object");return r}
function dt(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)&&!(t instanceof pe)}function Rr(t,e,n){let r=n?.source;return typeof e=="number"&&r!==void 0&&
String(e)!==r?new pe(r):e}var G=-1;function $r(t,e){if(!t.isWellFormed())throw new O("unpaired surrogate");let n=!1;G=t.indexOf("\\");let r=0,s=[];for(let i=0;i<
t.length;){let o=t.charCodeAt(i);if(o===Cr){let a=t.indexOf('"',i+1),u=G>=0&&G<a;if(u&&(a=Dr(t,i+1)),a<0)break;let h=s[s.length-1],d=h===void 0?a+1:jr(t,a+1);if(h!==
void 0&&t.charCodeAt(d)===Ir){if(r===ct)throw new O("too many members");r++,h.push(u?zr(t.slice(i,a+1)):t.slice(i+1,a))}i=d}else if(o===Sn||o===Mr){if(s.length===
e)throw new O("nested too deep");s.push(o===Sn?[]:void 0),i++}else if(o===Ar||o===Pr){let a=s.pop();a!==void 0&&(r-=a.length,Nr(a)),i++}else if(o===vn||o>=ht&&o<=
ft){let a=Jr(t,i);n||=!Br(t,i,a),i=a}else i++}return n}var Cr=34,Ir=58,Sn=123,Ar=125,Mr=91,Pr=93,vn=45,ht=48,ft=57,Lr=92;function jr(t,e){for(;;){let n=t.charCodeAt(
e);if(n!==32&&n!==9&&n!==10&&n!==13)return e;e++}}function Dr(t,e){let n=-1;for(;;){if(n<e&&(n=t.indexOf('"',e)),n<0)return-1;if(G>=0&&G<e&&(G=t.indexOf("\\",e)),
G<0||G>n)return n;let r=G+1,s=Tn(t,r);if(e=r+1,s!==0){if(s!==1||t.charCodeAt(r+5)!==Lr||Tn(t,r+6)!==2)throw new O("unpaired surrogate");e=r+11}}}function Tn(t,e){
return t.charCodeAt(e)!==117||!/^[dD][89a-fA-F]/.test(t.slice(e+1,e+3))?0:/[89abAB]/.test(t.charAt(e+2))?1:2}function zr(t){try{return JSON.parse(t)}catch{throw new O(
"no JSON")}}function Nr(t){if(t.length>16){if(new Set(t).size<t.length)throw new O("duplicate key");return}for(let e=1;e<t.length;e++)if(t.indexOf(t[e])<e)throw new O(
"duplicate key")}function Jr(t,e){for(e++;e<t.length;e++){let n=t.charCodeAt(e);if((n<ht||n>ft)&&n!==46&&n!==101&&n!==69&&n!==43&&n!==vn)break}return e}function Br(t,e,n){
let r=e;for(;r<n&&t.charCodeAt(r)>=ht&&t.charCodeAt(r)<=ft;)r++;if(r===n&&n-e<16)return!0;let s=t.slice(e,n);return String(Number(s))===s}function $(t){return{members:Object.entries(t),open:!0}}function T(t){return{members:Object.entries(t),open:!1}}function se(t,e){return{kind:t,must:!0,keep:!0,...e}}
function L(t,e){return{kind:t,must:!1,keep:!1,...e}}var p={string:se("string"),integer:se("integer"),natural:se("natural"),number:se("number"),word:t=>se("strin\
g",{words:t}),object:t=>se("object",{shape:t}),delta:se("delta"),data:se("data")},c={string:L("string"),integer:L("integer"),natural:L("natural"),boolean:L("boo\
lean"),strings:L("strings"),lists:L("lists"),word:t=>L("string",{words:t}),objects:t=>L("objects",{shape:t})},S={string:L("string",{keep:!0}),integer:L("integer",
{keep:!0}),map:L("map",{keep:!0}),any:L("any",{keep:!0}),object:t=>L("object",{keep:!0,shape:t})};function de(t,e,n,r="",s=ct){for(let[i,o]of e.members){let a=t[i];
if(a==null){if(o.must)throw new O("missing",`${r}/${i}`);a===null&&delete t[i];continue}switch(o.kind){case"string":if(typeof a!="string")throw new O("want a st\
ring",`${r}/${i}`);break;case"boolean":if(typeof a!="boolean")throw new O("want true or false",`${r}/${i}`);break;case"integer":case"natural":if((typeof a!="num\
ber"||!Number.isSafeInteger(a))&&(t[i]=Xr(a,`${r}/${i}`)),o.kind==="natural"&&t[i]<0)throw new O("want a non-negative integer",`${r}/${i}`);break;case"number":if(typeof a!=
"number"&&!(a instanceof pe)||!Number.isFinite(Number(a)))throw new O("want a number",`${r}/${i}`);t[i]=Number(a);break;case"any":break;default:Fr(t,i,o,n,`${r}\
/${i}`,s)}}}function Fr(t,e,n,r,s,i){let o=t[e];switch(n.kind){case"strings":En(o,s,i);return;case"lists":for(let[a,u]of mt(o,s,i).entries())En(u,`${s}/${a}`,i);
return;case"objects":for(let[a,u]of mt(o,s,i).entries())de(gt(u,`${s}/${a}`),n.shape,r,`${s}/${a}`,i);return;case"map":for(let a of Object.values(gt(o,s)))if(typeof a!=
"string")throw new O("want an object of strings",s);return;default:{let a=gt(o,s);if(n.kind==="delta"&&typeof a.op!="string")throw new O(a.op==null?"missing":"w\
ant a string",`${s}/op`);let u=kt(t,a,n,r);u!==void 0&&de(a,u,r,s,i)}}}function kt(t,e,n,r){switch(n.kind){case"delta":return r.delta(e.op);case"data":return r.
data(t.entryType);default:return n.shape}}function Xr(t,e){if(t instanceof pe&&/^-?[0-9]+$/.test(t.source)&&Number.isSafeInteger(t.valueOf()))return t.valueOf()+
0;throw new O("want an integer of at most 2^53-1",e)}function gt(t,e){if(!dt(t))throw new O("want an object",e);return t}function mt(t,e,n){if(!Array.isArray(t)||
t.length>n)throw new O(`want an array of at most ${n} elements`,e);return t}function En(t,e,n){for(let r of mt(t,e,n))if(typeof r!="string")throw new O("want an\
 array of strings",e)}var qn=T({seq:p.natural,ts:p.integer,type:p.string}),Ur=$({tool:c.string,pattern:c.string,action:p.word(He)}),Ze=$({mode:c.word(at),rules:c.objects(Ur),deadline:c.
integer,default:c.word(He)}),_n=$({tokens:c.integer,costMicros:c.integer,workMs:c.integer,turns:c.integer,toolCalls:c.integer,children:c.integer}),Qe=$({session:S.
object(_n),tree:S.object(_n),action:c.word(lt),warnAt:c.integer}),bt=$({model:c.string,cwd:c.string,gitBranch:c.string,gitCommit:c.string,title:c.string,labels:S.
map,parentSessionId:c.string,subAgent:c.boolean,spawned:c.boolean,mcp:c.boolean,owner:c.string,via:c.string,policy:S.object(Ze),budget:S.object(Qe)}),yt=$({text:p.
string,images:c.strings,streamingBehavior:c.word(ot),promptId:c.string,clientId:c.string}),Rn=$({id:p.string,label:c.string,description:c.string}),Hr=$({text:p.
string,header:c.string,options:c.objects(Rn),multiple:c.boolean,freeText:c.boolean,prefill:c.string}),we=$({inputTokens:p.integer,cachedInputTokens:p.integer,outputTokens:p.
integer,reasoningOutputTokens:c.integer,totalTokens:p.integer}),xt=$({input:p.number,output:p.number,cacheRead:p.number,total:p.number,estimated:c.boolean}),xe={
truncated:c.boolean,bytes:c.integer},On=$({role:p.string,text:p.string,images:c.strings,...xe}),Zr=$({text:p.string,status:c.string}),Qr={user_message:On,assistant_message:On,
thinking:$({text:p.string,summary:c.strings,...xe}),tool_call:$({toolName:p.string,callId:p.string,arguments:c.string,command:c.string,cwd:c.string,status:p.word(
st),output:c.string,exitCode:S.integer,durationMs:S.integer,diff:c.string,...xe}),tool_result:$({callId:p.string,output:p.string,isError:c.boolean,...xe}),plan:$(
{text:c.string,steps:c.objects(Zr)}),compaction:$({summary:p.string,trigger:c.string,tokensBefore:c.integer,...xe}),system:$({text:p.string,level:c.string,kind:c.
string,native:S.any,...xe})},Wr={text_append:$({op:p.word(),text:p.string,contentIndex:S.integer}),text_set:$({op:p.word(),text:p.string}),arguments_append:$({op:p.
word(),text:p.string}),status_change:$({op:p.word(),status:p.word(st),output:c.string,exitCode:S.integer}),summary_append:$({op:p.word(),summaryIndex:p.integer,
text:p.string})},wt={childSessionId:p.string,entryId:c.string,title:c.string,nativeSessionId:c.string,turnId:c.string,turnStatus:c.word(Ce),cause:c.word(Ie),ended:c.
word(it)},St={requestId:p.string,kind:p.word(hn),turnId:c.string,entryId:c.string,sessionId:c.string,toolName:c.string,toolKind:c.word(gn),subject:c.string,cwd:c.
string,title:p.string,text:c.string,diff:c.string,diffTruncated:c.boolean,diffBytes:c.integer,options:c.objects(Rn),questions:c.objects(Hr),callerId:c.string,arguments:c.
string,deadline:c.integer,default:c.word(He),guarded:c.boolean},Tt={promptId:p.string,text:p.string,images:c.strings,streamingBehavior:c.word(ot),clientId:c.string,
idempotencyKey:c.string,origin:c.string,notifySessionId:c.string},A={session_start:T({sessionId:p.string,agentBackend:p.string,metadata:p.object(bt)}),session_end:T(
{reason:p.word(it),error:c.string,hint:c.string}),session_meta:T({title:S.string,titleGiven:c.boolean,model:S.string,mode:S.string,pendingModel:S.string,pendingMode:S.
string,nativeSessionId:S.string,agentVersion:S.string,labels:S.map,capabilities:c.strings,policy:S.object(Ze),budget:S.object(Qe)}),child_session:T(wt),epoch:T(
{epoch:p.natural,reason:p.string}),turn_start:T({turnId:p.string,prompt:S.object(yt)}),turn_end:T({turnId:p.string,status:p.word(Ce),cause:c.word(Ie),error:c.string,
hint:c.string}),entry_start:T({turnId:c.string,entryId:p.string,entryType:p.word($e),data:p.data,persistentId:c.string,round:c.integer}),entry_delta:T({entryId:p.
string,delta:p.delta}),entry_end:T({turnId:c.string,entryId:p.string,entryType:p.word($e),data:p.data,persistentId:c.string,incomplete:c.boolean,reason:c.string}),
entry_meta:T({entryId:p.string,persistentId:p.string}),request_opened:T(St),request_resolved:T({requestId:p.string,outcome:p.word(fn),option:c.string,answers:c.
lists,message:c.string,by:p.string,rule:c.integer,mode:c.word(at)}),prompt_queued:T(Tt),prompt_moved:T({promptId:p.string,before:c.string}),prompt_removed:T({promptId:p.
string,reason:p.word(yn),error:c.string}),token_usage:T({turnId:c.string,usage:p.object(we),sessionTotal:S.object(we),cost:S.object(xt),model:c.string}),status:T(
{state:p.word(cn),agentStatus:p.word(dn),toolName:c.string,queuedPrompts:c.integer,stalled:c.boolean,retryAt:c.integer}),budget:T({scope:p.word(mn),of:c.string,
limit:p.word(kn),state:p.word(bn),spent:p.integer,max:p.integer,action:c.word(lt)})},Kr=new Map(Object.entries(A)),Gr=new Map(Object.entries(Wr)),Vr=new Map(Object.
entries(Qr));function $n(t){return Kr.get(t)}var ie={delta:t=>Gr.get(t),data:t=>Vr.get(t)};var Yr=T({turnId:p.string,status:c.word(Ce),cause:c.word(Ie),error:c.string,hint:c.string,prompt:S.object(yt),startSeq:p.natural,startTs:p.integer,endSeq:c.natural,
endTs:c.integer,entries:c.strings,usage:S.object(we)}),es=T({entryId:p.string,entryType:p.word($e),turnId:c.string,round:c.integer,persistentId:c.string,open:c.
boolean,incomplete:c.boolean,reason:c.string,startSeq:p.natural,startTs:p.integer,endSeq:c.natural,endTs:c.integer,data:p.data}),ts=T({...St,openedSeq:p.natural,
openedTs:p.integer,resolved:S.object(A.request_resolved),resolvedSeq:c.natural,resolvedTs:c.integer}),ns=T({...Tt,seq:p.natural,ts:p.integer}),rs=T({...wt,seq:p.
natural,ts:p.integer}),ss=T({sum:p.object(we),reported:S.object(we),cost:S.object(xt)}),is=T({totalTokens:p.integer,inputTokens:p.integer,cachedInputTokens:p.integer,
outputTokens:p.integer,reasoningOutputTokens:c.integer,costMicros:p.integer,estimatedMicros:c.integer,turns:p.integer,toolCalls:p.integer,children:p.integer,workMs:p.
integer,workingSince:c.integer}),vt=T({file:p.string,offset:c.integer,seq:c.natural,problem:p.string,hint:c.string}),Ae=T({sessionId:p.string,agentBackend:p.string,
metadata:p.object(bt),title:c.string,model:c.string,mode:c.string,pendingModel:c.string,pendingMode:c.string,nativeSessionId:c.string,agentVersion:c.string,labels:S.
map,capabilities:c.strings,policy:S.object(Ze),budget:S.object(Qe),epoch:p.natural,seq:p.natural,ts:p.integer,status:S.object(A.status),end:S.object(A.session_end),
turns:c.objects(Yr),entries:c.objects(es),requests:c.objects(ts),queue:c.objects(ns),children:c.objects(rs),usage:p.object(ss),spent:S.object(is),marks:c.objects(
A.budget),damage:S.object(vt)});var Et=new Map([["heartbeat",T({seq:p.natural,ts:p.integer})],["reset",T({epoch:p.natural,oldest:p.natural,newest:p.natural})],["damage",vt]]);function Me(t,e,n){let r={};for(let[s,i]of e.members){let o=t[s];o!==void 0&&(i.keep||!ls(o))&&(r[s]=us(t,o,i,n))}if(e.open)for(let s of Object.keys(t))as(e,s)||
os(r,s,t[s]);return r}function V(t,e){let n={};for(let[r]of e.members){let s=t[r];s!==void 0&&(n[r]=s)}return n}function os(t,e,n){e==="__proto__"?Object.defineProperty(
t,e,{value:n,writable:!0,enumerable:!0,configurable:!0}):t[e]=n}function as(t,e){return t.members.some(([n])=>n===e)}function ls(t){return t===""||t===0||t===!1||Array.isArray(t)&&t.length===0}function us(t,e,n,r){switch(n.kind){case"\
strings":return[...e];case"objects":return e.map(s=>Me(s,n.shape,r));case"object":case"delta":case"data":{let s=e,i=kt(t,s,n,r);return i===void 0?{...s}:Me(s,i,
r)}default:return e}}function cs(t){return In(Cn(t))}function ps(t){let e=Cn(t),n=typeof e.type=="string"?Et.get(e.type):void 0;return n===void 0?In(e):(de(e,n,ie),e)}function ds(t){
return Et.has(t.type)}function hs(t){let e=pt(t,ut+2);return de(e,Ae,ie,"",1/0),e}function Cn(t){if(t.length>re||t.length*3>re&&new TextEncoder().encode(t).length>re)throw new O("lon\
ger than the limit");return pt(t,ut)}function In(t){if(de(t,qn,ie),t.seq===0)throw new O("want a number from 1","/seq");let e=$n(t.type);return e!==void 0&&de(t,
e,ie),t}var Se=class{#t;#n;#e=[];#r=0;#s=!1;constructor(e,n){this.#t=e,this.#n=n}get isTorn(){return this.#r>0}push(e){let n=[],r=0;this.#s&&e.length>0&&(this.#s=!1,r=e[0]===
10?1:0);let s=this.#n==="any"?e.indexOf(13,r):-1;for(;;){let i=e.indexOf(10,r),o=s>=0&&(i<0||s<i),a=o?s:i;if(a<0)break;n.push(this.#i(e.subarray(r,a))),r=a+1,o&&
(r===e.length?this.#s=!0:e[r]===10&&r++,s=e.indexOf(13,r))}return this.#a(e.subarray(r)),n}#i(e){let n=this.#r+e.length,r=this.#e;if(this.#e=[],this.#r=0,n>this.#t)
return;if(r.length===0)return e;let s=new Uint8Array(n),i=0;for(let o of[...r,e])s.set(o,i),i+=o.length;return s}#a(e){e.length!==0&&(this.#r+=e.length,this.#r>
this.#t?this.#e=[]:this.#e.push(e.slice()))}};var _t=class{#t;#n=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#e=0;constructor(e=re){this.#t=new Se(e,"lf")}push(e){let n=[];for(let r of this.#t.push(e)){
let s=this.#r(++this.#e,r);s!==void 0&&n.push(s)}return n}end(){return this.#t.isTorn?new ce(this.#e+1,"torn"):void 0}#r(e,n){if(n===void 0)return new ce(e,"too\
 long");if(!n.every(r=>r===13))try{return{number:e,text:this.#n.decode(n)}}catch{return new ce(e,"invalid UTF-8")}}};var fs=1440*60*1e3,Ot=class{#t;#n;#e=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#r=new TextDecoder("utf-8",{ignoreBOM:!0});#s=!1;#i=[];#a=0;#u="";#p="";#o;#l="";#c;constructor(e=re+
64){this.#t=e,this.#n=new Se(e,"any")}get lastEventId(){return this.#l}get retry(){return this.#c}push(e){let n=[];for(let r of this.#n.push(e))r===void 0?(this.#o=
"too long",this.#s=!0):this.#d(r,n);return n}#d(e,n){if(this.#s||(this.#s=!0,e[0]===239&&e[1]===187&&e[2]===191&&(e=e.subarray(3))),e.length>0){this.#h(e);return}
this.#l=this.#p,this.#o!==void 0?n.push(new Re(this.#l,this.#o)):this.#i.length>0&&n.push({id:this.#l,name:this.#u,data:this.#i.join(`
`)}),this.#i=[],this.#a=0,this.#u="",this.#o=void 0}#h(e){let n,r=!0;try{n=this.#e.decode(e)}catch{n=this.#r.decode(e),r=!1}let s=n.indexOf(":"),i=s<0?n:n.slice(
0,s),o=s<0?n.length:n[s+1]===" "?s+2:s+1,a=n.slice(o);switch(i){case"data":this.#a+=e.length-o+1,r||(this.#o??="invalid UTF-8"),this.#a>this.#t&&(this.#o="too l\
ong"),this.#o===void 0?this.#i.push(a):this.#i=[];break;case"event":this.#u=a;break;case"id":a.includes("\0")||(this.#p=a);break;case"retry":/^[0-9]+$/.test(a)&&
(this.#c=Math.min(Number(a),fs));break}}};function gs(t){switch(t){case"user_message":case"assistant_message":case"thinking":case"plan":case"system":return"text";case"tool_call":case"tool_result":return"\
output";case"compaction":return"summary"}}function An(t,e){t.entryType=e.entryType,t.data={...e.data},t.entryType==="thinking"&&t.data.summary!==void 0&&(t.data.summary=[...t.data.summary]),e.persistentId&&
(t.persistentId=e.persistentId)}function Mn(t,e){let n=gs(t.entryType),r=t.data;switch(e.op){case"text_append":n!==void 0&&(r[n]=(r[n]??"")+e.text);break;case"t\
ext_set":n!==void 0&&(r[n]=e.text);break;case"arguments_append":t.entryType==="tool_call"&&(t.data.arguments=(t.data.arguments??"")+e.text);break;case"status_ch\
ange":t.entryType==="tool_call"&&ms(t.data,e);break;case"summary_append":t.entryType==="thinking"&&bs(t.data,e.summaryIndex,e.text);break}}function ms(t,e){t.status=
e.status,e.output&&(t.output=(t.output??"")+e.output),e.exitCode!==void 0&&(t.exitCode=e.exitCode)}var ks=1024;function bs(t,e,n){if(e<0||e>=ks)return;let r=t.summary??=
[];for(;r.length<=e;)r.push("");r[e]+=n}var qt=Number.MAX_SAFE_INTEGER;function Pn(){return{totalTokens:0,inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,costMicros:0,estimatedMicros:0,
turns:0,toolCalls:0,children:0,workMs:0,workingSince:0}}function Ln(t,e,n,r){let s={...t};switch(e.type){case"turn_start":Te(t,e.ts),t.workingSince=e.ts;break;case"\
turn_end":t.turns=F(t.turns,1),e.cause!=="daemon"&&Te(t,e.ts),t.workingSince=0;break;case"status":Te(t,e.ts),e.state==="awaiting_approval"||e.state==="awaiting_\
input"?t.workingSince=0:n&&(t.workingSince=e.ts);break;case"entry_start":Te(t,e.ts);break;case"entry_end":e.entryType==="tool_call"&&(t.toolCalls=F(t.toolCalls,
1)),e.incomplete||Te(t,e.ts);break;case"child_session":r&&(t.children=F(t.children,1));break;case"token_usage":Te(t,e.ts),ys(t,e);break;case"session_end":t.workingSince=
0;break}return Object.keys(t).some(i=>(t[i]??0)!==(s[i]??0))}function Te(t,e){let n=t.workingSince??0;n!==0&&e>n&&(t.workMs=F(t.workMs,e-n),t.workingSince=e)}function ys(t,e){
if(t.totalTokens=F(t.totalTokens,e.usage.totalTokens),t.inputTokens=F(t.inputTokens,e.usage.inputTokens),t.cachedInputTokens=F(t.cachedInputTokens,e.usage.cachedInputTokens),
t.outputTokens=F(t.outputTokens,e.usage.outputTokens),t.reasoningOutputTokens=F(t.reasoningOutputTokens??0,e.usage.reasoningOutputTokens??0),e.cost!==void 0){let n=xs(
e.cost);t.costMicros=F(t.costMicros,n),e.cost.estimated&&(t.estimatedMicros=F(t.estimatedMicros??0,n))}}function xs(t){let e=t.total*1e6;return e>0?Math.min(Math.
floor(e+.5),qt):0}function F(t,e){return Math.min(t+Math.min(Math.max(e,0),qt),qt)}function Rt(){return{inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,totalTokens:0}}function $t(t,e){t.inputTokens=Pe(t.inputTokens,e.inputTokens),
t.cachedInputTokens=Pe(t.cachedInputTokens,e.cachedInputTokens),t.outputTokens=Pe(t.outputTokens,e.outputTokens),t.reasoningOutputTokens=Pe(t.reasoningOutputTokens??
0,e.reasoningOutputTokens??0),t.totalTokens=Pe(t.totalTokens,e.totalTokens)}function jn(){return{input:0,output:0,cacheRead:0,total:0}}function Dn(t,e){t.input+=
e.input,t.output+=e.output,t.cacheRead+=e.cacheRead,t.total+=e.total,t.estimated=!!t.estimated||!!e.estimated}function Pe(t,e){return Math.max(Math.min(t+e,Number.
MAX_SAFE_INTEGER),-Number.MAX_SAFE_INTEGER)}var he=class t{state={sessionId:"",agentBackend:"",metadata:{},epoch:0,seq:0,ts:0,turns:[],entries:[],requests:[],queue:[],children:[],marks:[],usage:{sum:Rt()}};#t=new Map;#n=new Map;#e=new Map;constructor(e){
if(e!==void 0){let{damage:n,...r}=Me(e,Ae,ie);Object.assign(this.state,r)}this.#r()}#r(){for(let e of this.state.turns)this.#t.set(e.turnId,e);for(let e of this.
state.entries)this.#n.set(e.entryId,e);for(let e of this.state.requests)this.#e.set(e.requestId,e)}static of(e){let n=new t,{damage:r,...s}=e;return Object.assign(
n.state,s),n.#r(),n}apply(e){let n=this.state;if(e.seq<=n.seq)return!1;switch(n.seq=e.seq,n.ts=e.ts,n.epoch=Math.max(n.epoch,1),this.#u(e),e.type){case"session_\
start":this.#s(e);break;case"session_end":this.#i(e);break;case"session_meta":this.#a(e);break;case"child_session":this.#p(e);break;case"epoch":n.epoch=Math.max(
n.epoch,e.epoch);break;case"turn_start":this.#o(e,e.turnId).prompt=e.prompt;break;case"turn_end":this.#l(e);break;case"entry_start":this.#d(e);break;case"entry_\
delta":{let r=this.#n.get(e.entryId);r?.open&&Mn(r,e.delta);break}case"entry_end":this.#h(e);break;case"entry_meta":{let r=this.#n.get(e.entryId);r!==void 0&&(r.
persistentId=e.persistentId);break}case"request_opened":this.#g(e);break;case"request_resolved":this.#m(e);break;case"prompt_queued":this.#f(e.promptId),n.queue.
push({...V(e,A.prompt_queued),seq:e.seq,ts:e.ts});break;case"prompt_moved":this.#b(e);break;case"prompt_removed":this.#f(e.promptId);break;case"token_usage":this.#y(
e);break;case"status":n.status=V(e,A.status),pn(e.state)||(n.end=void 0);break;case"budget":this.#k(e);break}return!0}get cursor(){return{epoch:Math.max(this.state.
epoch,1),seq:this.state.seq}}get openRequests(){return this.state.requests.filter(e=>e.resolved===void 0)}turn(e){return this.#t.get(e)}entry(e){return this.#n.
get(e)}request(e){return this.#e.get(e)}toJSON(){return Me(this.state,Ae,ie)}#s(e){let{sessionId:n,agentBackend:r,metadata:s}=e,{title:i,model:o,labels:a,policy:u,
budget:h}=s;Object.assign(this.state,{sessionId:n,agentBackend:r,metadata:s,title:i,model:o,labels:a,policy:u,budget:h})}#i(e){this.state.end=V(e,A.session_end);
for(let n of this.state.entries)n.open&&(n.incomplete=!0)}#a(e){let{titleGiven:n,...r}=V(e,A.session_meta);Object.assign(this.state,r)}#u(e){if(e.type==="entry_\
delta")return;let n=this.state,r=e.type==="child_session"&&!n.children.some(o=>o.childSessionId===e.childSessionId),s=n.turns.at(-1),i=n.spent??Pn();Ln(i,e,s!==
void 0&&!s.endSeq,r)&&(n.spent=i)}#p(e){let{children:n}=this.state,r=n.findIndex(a=>a.childSessionId===e.childSessionId),{seq:s,ts:i}=n[r]??e,o={...V(e,A.child_session),
seq:s,ts:i};n.splice(r<0?n.length:r,1,o)}#o(e,n){let r=this.#t.get(n);return r===void 0&&(r={turnId:n,startSeq:e.seq,startTs:e.ts,entries:[]},this.#t.set(n,r),this.
state.turns.push(r)),r}#l(e){let{status:n,cause:r,error:s,hint:i}=e;Object.assign(this.#o(e,e.turnId),{status:n,cause:r,error:s,hint:i,endSeq:e.seq,endTs:e.ts})}#c(e){
let n=this.#n.get(e.entryId);if(n===void 0){let{entryId:r,turnId:s,entryType:i,data:o}=e;n={entryId:r,turnId:s,startSeq:e.seq,startTs:e.ts,entryType:i,data:o},this.#n.
set(r,n),this.state.entries.push(n),s&&(this.#o(e,s).entries??=[]).push(r)}return An(n,e),n}#d(e){Object.assign(this.#c(e),{open:!0,incomplete:!1,reason:void 0,
round:e.round,endSeq:void 0,endTs:void 0})}#h(e){Object.assign(this.#c(e),{open:!1,incomplete:e.incomplete,reason:e.reason,endSeq:e.seq,endTs:e.ts})}#g(e){let{requests:n}=this.
state,r=this.#e.get(e.requestId),s={...V(e,A.request_opened),openedSeq:e.seq,openedTs:e.ts};n.splice(r===void 0?n.length:n.indexOf(r),1,s),this.#e.set(e.requestId,
s)}#m(e){let n=this.#e.get(e.requestId);n!==void 0&&n.resolved===void 0&&Object.assign(n,{resolved:V(e,A.request_resolved),resolvedSeq:e.seq,resolvedTs:e.ts})}#k(e){
let n=V(e,A.budget),r=[...this.state.marks],s=r.findIndex(i=>i.scope===n.scope&&(i.of??"")===(n.of??"")&&i.limit===n.limit);n.state!=="lifted"?r.splice(s<0?r.length:
s,1,n):s>=0&&r.splice(s,1),this.state.marks=r}#f(e){this.state.queue=this.state.queue.filter(n=>n.promptId!==e)}#b(e){let{queue:n}=this.state,r=e.before??"",s=n.
find(a=>a.promptId===e.promptId);if(s===void 0||e.promptId===r)return;let i=n.filter(a=>a!==s),o=i.findIndex(a=>a.promptId===r);i.splice(o<0?i.length:o,0,s),this.
state.queue=i}#y(e){let{usage:n}=this.state;$t(n.sum,e.usage),n.reported=e.sessionTotal??n.reported,e.cost!==void 0&&Dn(n.cost??=jn(),e.cost);let r=this.#t.get(
e.turnId??"");r!==void 0&&$t(r.usage??=Rt(),e.usage)}};function Ct(t){let{text:e="",diff:n="",diffTruncated:r=!1}=t,s=n.split(`
`,1)[0]??"";if(s==="")return e;for(let i=e.indexOf(s);i>=0;i=e.indexOf(s,i+s.length))if(i===0||e.charAt(i-1)===`
`){let o=e.slice(i);if(n.startsWith(o)||r&&o.startsWith(n))return e.slice(0,i).replace(/\n+$/,"")}return e}function zn(t){let e=!1,n=()=>{e=!1,t()};return()=>{e||(e=!0,document.visibilityState==="visible"?requestAnimationFrame(n):setTimeout(n,250))}}var Nn=class{id;fold=new he;entries=le([]);head=le(0);seq=le(0);isWhole=le(!1);trouble=le("");at;isAsking=!1;onEvent=()=>{};#t;#n=new Map;#e=new Set;#r=!1;#s=zn(
()=>this.#a());constructor(e,n){this.id=e,this.#t=n}entry(e){let n=this.#n.get(e);return n===void 0&&this.#n.set(e,n=le(0)),n.value>=0?this.fold.entry(e):void 0}apply(e){
this.fold.apply(e),e.type==="entry_delta"||e.type==="entry_meta"?this.#e.add(e.entryId):(this.#r=!0,(e.type==="entry_start"||e.type==="entry_end")&&this.#e.add(
e.entryId)),this.onEvent(e),this.#s()}isBefore(e){let n=this.at;return n===void 0||n.seq===0||n.epoch<e.epoch||n.epoch===e.epoch&&n.seq<e.seq}take(e,n,r){let s=this.
at??{epoch:e,seq:0};if(s.seq>0&&e!==s.epoch||n>s.seq+1)return!1;for(let i of r.slice(s.seq+1-n))i!==void 0&&this.apply(i);return this.at={epoch:e,seq:Math.max(s.
seq,n+r.length-1)},!0}begin(e,n,r){this.fold=he.of(e),this.at=n,this.trouble.value="",this.isWhole.value||=r||n.seq>=this.#t,this.#i()}reset(){this.fold=new he,
this.at=void 0,this.#e.clear(),this.#i()}#i(){for(let e of this.#n.values())e.value++;this.#r=!0,this.#s()}#a(){let{entries:e,seq:n}=this.fold.state;(e.length!==
this.entries.peek().length||e.at(-1)?.entryId!==this.entries.peek().at(-1))&&(this.entries.value=e.map(r=>r.entryId));for(let r of this.#e){let s=this.#n.get(r);
s!==void 0&&s.value++}this.#e.clear(),!this.isWhole.peek()&&Math.max(n,this.at?.seq??0)>=this.#t&&(this.isWhole.value=!0),this.#r&&(this.#r=!1,this.head.value++),
this.seq.value=n}};function Jn(t,e){let n=e?.entryType==="tool_call"?e.data:void 0,r=t.toolKind==="execute"?t.subject??n?.command:void 0;if(r!==void 0&&r!=="")return{kind:"command",
command:r,said:t.text===void 0||t.text===r?"":t.text};if(t.diff!==void 0&&t.diff!==""){let h=t.diffTruncated===!0?`These are the first lines of a diff of ${t.diffBytes??
"more"} bytes: the rest was too long for the log.`:"";return{kind:"diff",diff:t.diff,said:Ct(t),cut:h}}let s=t.arguments??n?.arguments,i=n?.diff??(s===void 0&&t.
text!==void 0&&sn(t.text)?t.text:void 0);if(i!==void 0)return{kind:"diff",diff:i,said:"",cut:""};let o=s??t.text,a=o===void 0?void 0:Ue(o,!0);if(a!==void 0)return{
kind:"edits",lines:a};let u=t.text??(t.kind==="approval"||t.kind==="caller_tool"?o:void 0)??t.subject??"";return u===""?void 0:{kind:"text",text:ws(u)}}function fa(t,e,n,r){
let s=t.toolKind==="execute"&&t.subject!==void 0&&t.subject!=="",i=!s&&(t.diff===void 0||t.diff==="")&&t.entryId!==void 0;return i&&n!=="read"?n==="reading"?"Wh\
at this is about is still being read.":"What this is about could not be read.":!s&&t.diffTruncated===!0?"Only the beginning of the diff is shown.":i&&e!==void 0&&
"truncated"in e.data&&e.data.truncated===!0?"Only the beginning of what this is about is shown.":r?"Only the first lines of what this is about are shown.":""}function ws(t){
try{return/^\s*[[{]/.test(t)?JSON.stringify(JSON.parse(t),null,2):t}catch{return t}}function ya({request:t,call:e,isFolded:n}){let r=Jn(t,e);return r===void 0?null:r.kind==="diff"?l(R,{children:[r.said===""?null:l("p",{class:"said",dir:"auto",children:k(
r.said)}),l(ye,{text:r.diff,isFolded:n}),r.cut===""?null:l("p",{class:"note cut",children:r.cut})]}):r.kind==="edits"?l(ye,{lines:r.lines,label:"What is to be r\
eplaced",isFolded:n}):l(R,{children:[r.kind==="command"?l("pre",{class:"command",tabIndex:0,role:"group","aria-label":"Command",children:k(r.command)}):l("pre",
{class:"wrap",tabIndex:0,role:"group","aria-label":"What is asked about",children:k(r.text)}),r.kind==="command"&&r.said!==""?l("p",{class:"said",children:k(r.said)}):
null,t.cwd?l("p",{class:"note",children:["in ",k(t.cwd)]}):null]})}function Bn(t){let e;return function(r){let s=N(e===void 0?"loading":"here"),i=()=>{s.value="loading",t().then(o=>{e=o,s.value="here"},()=>{s.value="failed"})};
return ne(()=>{e===void 0&&i()},[]),s.value==="here"&&e!==void 0?l(e,{...r}):s.value==="failed"?l("div",{class:"empty",role:"alert",children:[l("p",{children:"T\
his part of the page did not come. The daemon is away, or is another version than this page."}),l("p",{children:l("button",{type:"button",onClick:()=>location.reload(),
children:"Load the page again"})})]}):l("p",{class:"empty",role:"status",children:"Loading this view…"})}}function Fn(t,e){let n=[],r=new Set;for(let i of t.entries)n.push({kind:"entry",id:i.entryId,seq:i.startSeq}),i.entryType==="user_message"&&i.turnId!==void 0&&r.
add(i.turnId);for(let i of t.turns)i.prompt!==void 0&&!r.has(i.turnId)&&n.push({kind:"prompt",id:`${i.turnId}/prompt`,seq:i.startSeq,turn:i}),i.endSeq!==void 0&&
n.push({kind:"end",id:`${i.turnId}/end`,seq:i.endSeq,turn:i});for(let i of t.requests)i.resolved!==void 0&&i.kind!=="caller_tool"&&n.push({kind:"answer",id:`${i.
requestId}/${i.openedSeq}`,seq:i.resolvedSeq??i.openedSeq,request:i});for(let i of t.children)n.push({kind:"child",id:`child/${i.childSessionId}`,seq:i.seq,child:i});
n.sort((i,o)=>i.seq-o.seq);let s=e===void 0||e===0?-1:n.findIndex(i=>i.seq>e);return s>0&&n.splice(s,0,{kind:"unread",id:"unread",seq:n[s].seq}),n}function Xn(t,e,n,r){let s=Math.max(r,400),i=0,o=0;for(;o<t&&i+e(o)<n-s;)i+=e(o++);let a=i,u=o;for(;u<t&&i<n+r+s;)i+=e(u++);let h=0;for(let d=u;d<t;d++)h+=e(d);
return{from:o,to:u,above:a,below:h}}function Un(t,e,n,r){let s=n+r,i=t,o=0;for(;i>0&&o<s;)o+=e(--i);let a=0;for(let u=0;u<i;u++)a+=e(u);return{from:i,to:t,above:a,
below:0}}var We=class extends Kt{state={hasFailed:!1};static getDerivedStateFromError(){return{hasFailed:!0}}render(){return this.state.hasFailed?l("p",{class:"error",children:[
"This cannot be shown here. ",l("code",{children:"ringmaster log"})," has it."]}):l(R,{children:this.props.children})}};var Ss=Bn(()=>import("./part-VAQ7FVPX.js").then(t=>t.Whole));function Hn({session:t,entry:e,isOpen:n,bytes:r}){let s=N(!1);return l("div",{class:"cut",children:[
l("p",{class:"note",children:["The log keeps the beginning of this text",r===void 0?"":`, of ${Math.ceil(r/1024)} KiB in all`,"."]}),n?null:l("button",{type:"bu\
tton",class:"small",onClick:()=>{s.value=!0},children:"Show the whole text"}),s.value?l(Ss,{session:t,entry:e,close:()=>{s.value=!1}}):null]})}function Pt(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var be=Pt();function rr(t){
be=t}var ge={exec:()=>null};function fe(t){let e=[];return n=>{let r=Math.max(0,Math.min(3,n-1)),s=e[r];return s||(s=t(r),e[r]=s),s}}function y(t,e=""){let n=typeof t==
"string"?t:t.source,r={replace:(s,i)=>{let o=typeof i=="string"?i:i.source;return o=o.replace(I.caret,"$1"),n=n.replace(s,o),r},getRegex:()=>new RegExp(n,e)};return r}
var sr=((t="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+t)}catch{return!1}})(),I={codeRemoveIndent:/^(?: {0,3}\t| {1,4})/gm,listInterruptsParagraph:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,
outputLinkReplace:/\\([\[\]])/g,indentCodeCompensation:/^(\s+)(?:```)/,beginningSpace:/^\s+/,endingHash:/#$/,startingSpaceChar:/^ /,endingSpaceChar:/ $/,endingSpaceTabChar:/[ \t]$/,
nonSpaceChar:/[^ ]/,newLineCharGlobal:/\n/g,tabCharGlobal:/\t/g,leadingSpaceTab:/^[ \t]+/,multipleSpaceGlobal:/\s+/g,blankLine:/^[ \t]*$/,doubleBlankLine:/\n[ \t]*\n[ \t]*$/,
blockquoteStart:/^ {0,3}>/,blockquoteSetextReplace:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,blockquoteSetextReplace2:/^ {0,3}>[ \t]?/gm,blockquoteMarkerWhitespace:/^( {0,3}>)(\t[ \t]*)/gm,
nestedBlockMarker:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,listReplaceNesting:/^ {1,4}(?=( {4})*[^ ])/g,listIsTask:/^\[[ xX]\][ \t]+\S/,listReplaceTask:/^\[[ xX]\][ \t]+/,
listTaskCheckbox:/\[[ xX]\]/,anyLine:/\n.*\n/,hrefBrackets:/^<(.*)>$/,tableDelimiter:/[:|]/,tableAlignChars:/^\||\| *$/g,tableRowBlankLine:/\n[ \t]*$/,tableAlignRight:/^ *-+: *$/,
tableAlignCenter:/^ *:-+: *$/,tableAlignLeft:/^ *:-+ *$/,startATag:/^<a /i,endATag:/^<\/a>/i,startPreScriptTag:/^<(pre|code|kbd|script)(\s|>)/i,endPreScriptTag:/^<\/(pre|code|kbd|script)(\s|>)/i,
startAngleBracket:/^</,endAngleBracket:/>$/,pedanticHrefTitle:/^([^'"]*[^\s])\s+(['"])(.*)\2/,unicodeAlphaNumeric:/[\p{L}\p{N}]/u,numericCharacterReference:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,
numericCharacterReferenceOrAmpersand:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,escapeTest:/[&<>"']/,escapeReplace:/[&<>"']/g,
escapeTestNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,escapeReplaceNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,
percentDecode:/%25/g,findPipe:/\|/g,splitPipe:/ \|/,slashPipe:/\\\|/g,carriageReturn:/\r\n|\r/g,spaceLine:/^ +$/gm,notSpaceStart:/^\S*/,endingNewline:/\n$/,listItemRegex:t=>new RegExp(
`^( {0,3}${t})((?:[	 ][^\\n]*)?(?:\\n|$))`),nextBulletRegex:fe(t=>new RegExp(`^ {0,${t}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),hrRegex:fe(t=>new RegExp(
`^ {0,${t}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),fencesBeginRegex:fe(t=>new RegExp(`^ {0,${t}}(?:\`\`\`|~~~)`)),headingBeginRegex:fe(t=>new RegExp(
`^ {0,${t}}#{1,6}(?:\\s|$)`)),pedanticHeadingBeginRegex:fe(t=>new RegExp(`^ {0,${t}}#`)),htmlBeginRegex:fe(t=>new RegExp(`^ {0,${t}}(?:</?(?:${jt})(?:[ \\t]+|$|/\
?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),blockquoteBeginRegex:fe(t=>new RegExp(`^ {0,${t}}>`)),nestedContainerMarkers:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},
Ts=/^(?:[ \t]*(?:\n|$))+/,vs=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,Es=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,
De=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,_s=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,Lt=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,jt="address|a\
rticle|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1\
-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|the\
ad|title|tr|track|ul",ze=y(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("\
tag",jt).getRegex(),ir=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,
or=y(ir).replace(/bull/g,Lt).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,
/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,ze).getRegex(),
Os=y(ir).replace(/bull/g,Lt).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,
/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).
replace(/html/g,ze).getRegex(),Dt=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,qs=/^[^\n]+/,zt=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,
Rs=y(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",zt).replace("\
title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),$s=y(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,
Lt).getRegex(),Nt=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,Cs=y("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?\
(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script\
|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$)\
)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",Nt).replace("tag",jt).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).
getRegex(),ar=t=>y(Dt).replace("hr",De).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").
replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",t).replace("html",ze).getRegex(),Is=ar(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),
As=ar(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),Ms=y(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",As).getRegex(),Jt={
blockquote:Ms,code:vs,def:Rs,fences:Es,heading:_s,hr:De,html:Cs,lheading:or,list:$s,newline:Ts,paragraph:Is,table:ge,text:qs},Zn=y("^ *([^\\n ].*)\\n {0,3}((?:\\| \
*)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",De).replace("heading",
" {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*\
(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",ze).getRegex(),Ps={...Jt,lheading:Os,table:Zn,paragraph:y(Dt).replace("hr",De).replace(
"heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",Zn).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$\
))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",ze).getRegex()},Ls={...Jt,html:y(`^ *(?:comment(?: *\\n|\\s*$)|<\
(tag)[\\s\\S]+?</\\1>(?: *\\n{2,}|\\s*$)|<tag(?:"[^"]*"|'[^']*'|\\s[^'"/>\\s]*)*?/?>(?: *\\n{2,}|\\s*$))`).replace("comment",Nt).replace(/tag/g,"(?!(?:a|em|stro\
ng|small|s|cite|q|dfn|abbr|data|time|code|var|samp|kbd|sub|sup|i|b|u|mark|ruby|rt|rp|bdi|bdo|span|br|wbr|ins|del|img)\\b)\\w+(?!:|[^\\w\\s@]*@)\\b").getRegex(),
def:/^ *\[([^\]]+)\]: *<?([^\s>]+)>?(?: +(["(][^\n]+[")]))? *(?:\n+|$)/,heading:/^(#{1,6})(.*)(?:\n+|$)/,fences:ge,lheading:/^(.+?)\n {0,3}(=+|-+) *(?:\n+|$)/,paragraph:y(
Dt).replace("hr",De).replace("heading",` *#{1,6} *[^
]`).replace("|table","").replace("blockquote"," {0,3}>").replace("|fences","").replace("|list","").replace("|html","").replace("|tag","").replace("lheading",or).
getRegex()},js=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,Ds=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,lr=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,zs=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,
Z=/[\p{P}\p{S}]/u,Ee=/[\s\p{P}\p{S}]/u,Ne=/[^\s\p{P}\p{S}]/u,Ns=y(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,Ee).getRegex(),Js=/[\p{Pi}\p{Ps}"']/u,ur=/(?!~)[\p{P}\p{S}]/u,
Bs=/(?!~)[\s\p{P}\p{S}]/u,Fs=/(?:[^\s\p{P}\p{S}]|~)/u,Xs=y(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).
replace("precode-",sr?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),cr=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,
Us=y(cr,"u").replace(/punct/g,Z).getRegex(),Hs=y(cr,"u").replace(/punct/g,ur).getRegex(),Zs=/^(?:\*+(?:((?!\*)(?!openQuote)punct)|([^\s*]))?)|^_+(?:((?!_)(?!openQuote)punct)|([^\s_]))?/,
Qs=y(Zs,"u").replace(/openQuote/g,Js).replace(/punct/g,Z).getRegex(),pr="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace\
(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",
Ws=y(pr,"gu").replace(/notPunctSpace/g,Ne).replace(/punctSpace/g,Ee).replace(/punct/g,Z).getRegex(),Ks=y(pr,"gu").replace(/notPunctSpace/g,Fs).replace(/punctSpace/g,
Bs).replace(/punct/g,ur).getRegex(),Gs="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*\
)[\\s](\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|(?:(?!\\*)punct|notPunctSpace)(\\*+)(?!\\*)(?=notPunctSpace)",Vs=y(
Gs,"gu").replace(/notPunctSpace/g,Ne).replace(/punctSpace/g,Ee).replace(/punct/g,Z).getRegex(),Ys=y("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punc\
t(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(
/notPunctSpace/g,Ne).replace(/punctSpace/g,Ee).replace(/punct/g,Z).getRegex(),ei="^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|not\
PunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)[\\s](_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)|(?:(?!_)punct|notPunctSpace)(_+)(?!_)(?=n\
otPunctSpace)",ti=y(ei,"gu").replace(/notPunctSpace/g,Ne).replace(/punctSpace/g,Ee).replace(/punct/g,Z).getRegex(),ni=y(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(
/punct/g,Z).getRegex(),ri="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)\
(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",si=y(ri,"gu").replace(/notPunctSpace/g,Ne).replace(/punctSpace/g,Ee).replace(/punct/g,
Z).getRegex(),ii=y(/\\(punct)/,"gu").replace(/punct/g,Z).getRegex(),oi=y(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,Z).getRegex(),
ai=y(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).
getRegex(),li=y(Nt).replace("(?:-->|$)","-->").getRegex(),ui=y("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\\
?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",li).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).
getRegex(),dr=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,Ve=y(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brack\
ets",dr).getRegex(),ci=y(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",Ve).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).
replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),pi=y(/^!?\[(label)\]\[(ref)\]/).replace("label",Ve).replace(
"ref",zt).getRegex(),di=y(/^!?\[(ref)\](?:\[\])?/).replace("ref",zt).getRegex(),Qn=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,hi=y(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).
replace("brackets",dr).getRegex(),fi=y("reflink|nolink(?!\\()","g").replace("reflink",y(/^!?\[(label)\]\[(ref)\]/).replace("label",hi).replace("ref",Qn).getRegex()).
replace("nolink",y(/^!?\[(ref)\](?:\[\])?/).replace("ref",Qn).getRegex()).getRegex(),Wn=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,gi=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,
mi=y(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,gi).getRegex(),Bt={_backpedal:ge,anyPunctuation:ii,anyPunctuationOutsideCode:oi,autolink:ai,
blockSkip:Xs,br:lr,code:Ds,del:ge,delLDelim:ge,delRDelim:ge,emStrongLDelim:Us,emStrongRDelimAst:Ws,emStrongRDelimUnd:Ys,escape:js,link:ci,nolink:di,punctuation:Ns,
reflink:pi,reflinkSearch:fi,tag:ui,text:zs,url:ge},ki={...Bt,emStrongLDelim:Qs,emStrongRDelimAst:Vs,emStrongRDelimUnd:ti,link:y(/^!?\[(label)\]\((.*?)\)/).replace(
"label",Ve).getRegex(),reflink:y(/^!?\[(label)\]\s*\[([^\]]*)\]/).replace("label",Ve).getRegex()},It={...Bt,emStrongRDelimAst:Ks,emStrongLDelim:Hs,delLDelim:ni,
delRDelim:si,url:y(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",mi).replace("protocol",Wn).replace("\
email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,
del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:y(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).
replace("protocol",Wn).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",sr?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},bi={...It,br:y(lr).replace(
"{2,}","*").getRegex(),text:y(It.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},Ke={normal:Jt,gfm:Ps,pedantic:Ls},Le={normal:Bt,gfm:It,
breaks:bi,pedantic:ki},yi={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},Kn=t=>yi[t];function j(t,e){if(e){if(I.escapeTest.test(t))return t.replace(
I.escapeReplace,Kn)}else if(I.escapeTestNoEncode.test(t))return t.replace(I.escapeReplaceNoEncode,Kn);return t}function xi(t){return I.numericCharacterReference.
test(t)?t.replace(I.numericCharacterReferenceOrAmpersand,(e,n,r)=>{if(n===void 0&&r===void 0)return"&amp;";let s=n===void 0?Number.parseInt(r,16):Number.parseInt(
n,10);return s===0||s>1114111||s>=55296&&s<=57343?"�":s===38?"&amp;":String.fromCodePoint(s)}):t}function Gn(t){try{t=encodeURI(t).replace(I.percentDecode,"%")}catch{
return null}return t}function Vn(t,e){let n=t.replace(I.findPipe,(i,o,a)=>{let u=!1,h=o;for(;--h>=0&&a[h]==="\\";)u=!u;return u?"|":" |"}),r=n.split(I.splitPipe),
s=0;if(r[0].trim()||r.shift(),r.length>0&&!r.at(-1)?.trim()&&r.pop(),e)if(r.length>e)r.splice(e);else for(;r.length<e;)r.push("");for(;s<r.length;s++)r[s]=r[s].
trim().replace(I.slashPipe,"|");return r}function Y(t,e,n){let r=t.length;if(r===0)return"";let s=0;for(;s<r;){let i=t.charAt(r-s-1);if(i===e&&!n)s++;else if(i!==
e&&n)s++;else break}return t.slice(0,r-s)}function Yn(t){let e=t.split(`
`),n=e.length-1;for(;n>=0&&I.blankLine.test(e[n]);)n--;return e.length-n<=2?t:e.slice(0,n+1).join(`
`)}function Ye(t){return t.trim().replace(I.multipleSpaceGlobal," ").toLowerCase().toUpperCase().toLowerCase()}function er(t,e){if(t.indexOf(e[0])===-1&&t.indexOf(
e[1])===-1)return-1;let n=0;for(let r=0;r<t.length;r++)if(t[r]==="\\")r++;else if(t[r]===e[0])n++;else if(t[r]===e[1]&&(n--,n<0))return r;return n>0?-2:-1}var ve=new WeakMap;
function Ft(t){let e={"*":-1,_:-1},n=-1,r=t.length;for(let s=0;s<r;s++){let i=t[s];if(i!=="*"&&i!=="_"&&i!=="~")continue;let o=s===0?`
`:t[s-1],a=s+1;for(;a<r&&t[a]===i;)a++;o!==" "&&o!=="	"&&o!==`
`&&o!=="\r"&&o!=="\f"&&(i==="~"?n=s:e[i]=s),s=a-1}return{maskedSrc:t,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:n}}function wi(t,e){let n=Ft(e),
r=ve.get(t);r?r.push(n):ve.set(t,[n])}function Si(t){let e=ve.get(t);e&&(e.pop(),e.length===0&&ve.delete(t))}function hr(t,e,n){let r=ve.get(t)?.at(-1);return r&&
r.maskedSrc===e?r.lastPossibleEmStrongCloserIndex[n]:Ft(e).lastPossibleEmStrongCloserIndex[n]}function fr(t,e){let n=ve.get(t)?.at(-1);return n&&n.maskedSrc===e?
n.lastPossibleDelCloserIndex:Ft(e).lastPossibleDelCloserIndex}function Ge(t,e=0){let n=e,r="";for(let s of t)if(s==="	"){let i=4-n%4;r+=" ".repeat(i),n+=i}else r+=
s,n++;return r}function Ti(t,e){let n="";for(let r=0;r<t.length;r++){if(t[r]==="`"){let s=e.inline.code.exec(t.slice(r));if(s){n+=s[0],r+=s[0].length-1;continue}}
if(t[r]==="\\"&&(t[r+1]==="["||t[r+1]==="]")){n+=t[r+1],r++;continue}n+=t[r]}return n}function tr(t,e,n,r,s){let i=e.href,o=e.title||null,a=Ti(t[1],s),u=t[0].charAt(
0)==="!",h=r.state.inLink,d=r.state.linkEmitted,g=r.state.inRawBlock;r.state.inLink=!0,r.state.linkEmitted=!1;let f=r.inlineTokens(a),b=r.state.linkEmitted;if(r.
state.linkEmitted=d,r.state.inLink=h,!u){if(b){r.state.inRawBlock=g;return}r.state.linkEmitted=!0}return{type:u?"image":"link",raw:n,href:i,title:o,text:a,tokens:f}}
function vi(t,e,n){let r=t.match(n.other.indentCodeCompensation);if(r===null)return e;let s=r[1];return e.split(`
`).map(i=>{let o=i.match(n.other.beginningSpace);if(o===null)return i;let[a]=o;return i.slice(Math.min(a.length,s.length))}).join(`
`)}function nr(t,e,n,r){if(!e.includes("<"))return!1;for(let s=0;s<e.length;s++){if(e[s]==="\\"){s++;continue}if(e[s]==="`"){let a=r.inline.code.exec(e.slice(s));
if(a){s+=a[0].length-1;continue}}if(e[s]!=="<")continue;let i=t.slice(n+s),o=r.inline.tag.exec(i)||r.inline.autolink.exec(i);if(o){if(o[0].length>e.length-s)return!0;
s+=o[0].length-1}}return!1}var me=class{options;rules;lexer;constructor(t){this.options=t||be}space(t){let e=this.rules.block.newline.exec(t);if(e&&e[0].length>
0)return{type:"space",raw:e[0]}}code(t){let e=this.rules.block.code.exec(t);if(e){let n=this.options.pedantic?e[0]:Yn(e[0]),r=n.replace(this.rules.other.codeRemoveIndent,
"");return{type:"code",raw:n,codeBlockStyle:"indented",text:r}}}fences(t){let e=this.rules.block.fences.exec(t);if(e){let n=e[0],r=vi(n,e[3]||"",this.rules);return e[3]!==
void 0&&(r===""||r.endsWith(`
`))&&(r+=`
`),{type:"code",raw:n,lang:e[2]?e[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):e[2],text:r}}}heading(t){let e=this.rules.block.heading.exec(t);if(e){
let n=e[2].trim();if(this.rules.other.endingHash.test(n)){let r=Y(n,"#");(this.options.pedantic||!r||this.rules.other.endingSpaceTabChar.test(r))&&(n=r.trim())}
return{type:"heading",raw:Y(e[0],`
`),depth:e[1].length,text:n,tokens:this.lexer.inline(n)}}}hr(t){let e=this.rules.block.hr.exec(t);if(e)return{type:"hr",raw:Y(e[0],`
`)}}blockquote(t){let e=this.rules.block.blockquote.exec(t);if(e){let n=Y(e[0],`
`).split(`
`),r="",s="",i=[];for(;n.length>0;){let o=!1,a=[],u;for(u=0;u<n.length;u++)if(this.rules.other.blockquoteStart.test(n[u]))a.push(n[u]),o=!0;else if(!o)a.push(n[u]);else
break;n=n.slice(u);let h=a.join(`
`),d=h.replace(this.rules.other.blockquoteMarkerWhitespace,(b,m,_)=>_.startsWith(" ")?m+" "+_.slice(1):m+Ge(_,m.length)).replace(this.rules.other.blockquoteSetextReplace,
`
    $1`).replace(this.rules.other.blockquoteSetextReplace2,"");r=r?`${r}
${h}`:h,s=s?`${s}
${d}`:d;let g=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(d,i,!0),this.lexer.state.top=g,n.length===0)break;let f=i.at(-1);if(f?.type===
"code"||f?.type==="heading"||f?.type==="hr"||f?.type==="html"||f?.type==="table")break;if(f?.type==="blockquote"){let b=f,m=n.join(`
`),_=b.raw+`
`+m.replace(this.rules.other.blockquoteSetextReplace2,""),w=this.blockquote(_);i[i.length-1]=w;let v=_.substring(w.raw.length).replace(/^\n/,""),M=v?v.split(`
`).length:0,E=M?n.slice(0,-M):n;if(E.length>0&&(r=`${r}
${E.join(`
`)}`),s=s.substring(0,s.length-b.text.length)+w.text,n=n.slice(E.length),n.length>0&&this.rules.other.blockquoteStart.test(n[0]))continue;break}else if(f?.type===
"list"){let b=f,m=b.raw+`
`+n.join(`
`),_=this.list(m);i[i.length-1]=_;let w=_.raw.length>b.raw.length?m.slice(b.raw.length+1,_.raw.length).split(`
`).length:0;if(w>0){let v=n.slice(0,w).join(`
`);r=`${r}
${v}`,s=`${s}
${v}`}if(n=n.slice(w),n.length>0&&!this.rules.other.blockquoteStart.test(n[0]))break;continue}}return{type:"blockquote",raw:r,tokens:i,text:s}}}list(t){let e=this.
rules.block.list.exec(t);if(e){if(!this.options.pedantic&&this.lexer.state.lastToken?.type==="text"&&!this.rules.other.listInterruptsParagraph.test(t))return;let n=t,
r=()=>n.length-t.length,s=e[1].trim(),i=s.length>1,o={type:"list",raw:"",ordered:i,start:i?+s.slice(0,-1):"",loose:!1,items:[]};s=i?`\\d{1,9}\\${s.slice(-1)}`:`\
\\${s}`,this.options.pedantic&&(s=i?s:"[*+-]");let a=this.rules.other.listItemRegex(s),u=!1;for(;t;){let g=!1,f="";if(!(e=a.exec(t))||this.rules.block.hr.test(t))
break;let b=r();t=t.substring(e[0].length);let m=e[2].split(`
`,1)[0],_=e[1].length,w=this.options.pedantic?Ge(m,_):m.replace(this.rules.other.leadingSpaceTab,D=>Ge(D,_)),v=t.split(`
`,1)[0],M=!w.trim(),E=0;if(this.options.pedantic?(E=2,f=w.trimStart()):M?E=_+1:(E=w.search(this.rules.other.nonSpaceChar),E=E>4?1:E,f=w.slice(E),E+=_),M&&this.rules.
other.blankLine.test(v)&&(t=t.substring(v.length+1),g=!0),!g){let D=this.rules.other.nextBulletRegex(E),K=this.rules.other.hrRegex(E),H=this.rules.other.fencesBeginRegex(
E),J=this.options.pedantic?this.rules.other.pedanticHeadingBeginRegex(E):this.rules.other.headingBeginRegex(E),ee=this.rules.other.htmlBeginRegex(E),ae=this.rules.
other.blockquoteBeginRegex(E),_e=!1;for(;t;){let Oe=t.split(`
`,1)[0],te;if(v=Oe,this.options.pedantic?(v=v.replace(this.rules.other.listReplaceNesting,"  "),te=v):te=v.replace(this.rules.other.leadingSpaceTab,x=>Ge(x)),H.
test(v)||J.test(v)||ee.test(v)||ae.test(v)||D.test(v)||K.test(v))break;if(te.search(this.rules.other.nonSpaceChar)>=E||!v.trim())f+=`
`+te.slice(E),_e=!1;else{if(M)break;let x=w;if(!this.options.pedantic&&!f.includes(`
`)&&!w.includes("	")){let C;for(;!K.test(x)&&(C=this.rules.other.nestedBlockMarker.exec(x));)x=x.slice(C[0].length);if(!x.trim())break}if(x.replace(this.rules.other.
tabCharGlobal,"    ").search(this.rules.other.nonSpaceChar)>=4||H.test(x)||J.test(x)||ee.test(x)||K.test(x))break;if(!this.options.pedantic&&!_e){let C=w.replace(
this.rules.other.nestedContainerMarkers,"");if(this.rules.block.fences.test(C)||this.rules.block.heading.test(C)||this.rules.block.hr.test(C))break}let z=!this.
options.pedantic&&/^ {0,3}(?:=+|-+) *$/.test(v)&&this.rules.block.lheading.test(`${w}
${v}`)?`    ${te.replace(/^ {0,3}/,"")}`:v;f+=`
`+z,_e=!0}M=!v.trim(),t=t.substring(Oe.length+1),w=te.slice(E)}}let W=n.slice(b,r());o.loose||(u?o.loose=!0:this.rules.other.doubleBlankLine.test(W)&&(u=!0)),o.
items.push({type:"list_item",raw:W,task:!!this.options.gfm&&this.rules.other.listIsTask.test(f),loose:!1,text:f,tokens:[]})}let h=o.items.at(-1);if(h)h.raw=h.raw.
trimEnd(),h.text=h.text.trimEnd();else return;o.raw=n.slice(0,r()).trimEnd();let d=[];for(let g of o.items)if(this.lexer.state.top=!1,d.push(this.lexer.inlineQueue.
length),g.tokens=this.lexer.blockTokens(g.text,[]),!o.loose){let f=g.tokens.filter(m=>m.type==="space"),b=f.length>0&&f.some(m=>this.rules.other.anyLine.test(m.
raw));o.loose=b}for(let g=0;g<o.items.length;g++){let f=o.items[g],b=f.tokens[0];if(f.task&&(b?.type==="text"||b?.type==="paragraph")){f.text=f.text.replace(this.
rules.other.listReplaceTask,""),b.raw=b.raw.replace(this.rules.other.listReplaceTask,""),b.text=b.text.replace(this.rules.other.listReplaceTask,"");let m=this.lexer.
inlineQueue;for(let w=d[g];w<m.length;w++)if(m[w].tokens===b.tokens){m[w].src=m[w].src.replace(this.rules.other.listReplaceTask,"");break}let _=this.rules.other.
listTaskCheckbox.exec(f.raw);if(_){let w={type:"checkbox",raw:_[0]+" ",checked:_[0]!=="[ ]"};f.checked=w.checked,o.loose?f.tokens[0]&&["paragraph","text"].includes(
f.tokens[0].type)&&"tokens"in f.tokens[0]&&f.tokens[0].tokens?(f.tokens[0].raw=w.raw+f.tokens[0].raw,f.tokens[0].text=w.raw+f.tokens[0].text,f.tokens[0].tokens.
unshift(w)):f.tokens.unshift({type:"paragraph",raw:w.raw,text:w.raw,tokens:[w]}):f.tokens.unshift(w)}}else f.task&&(f.task=!1)}if(o.loose)for(let g of o.items){
g.loose=!0;for(let f of g.tokens)f.type==="text"&&(f.type="paragraph")}return o}}html(t){let e=this.rules.block.html.exec(t);if(e){if(this.lexer.state.lastToken?.
type==="paragraph"&&!this.rules.other.htmlBeginRegex(4).test(t))return;let n=Yn(e[0]);return{type:"html",block:!0,raw:n,pre:e[1]==="pre"||e[1]==="script"||e[1]===
"style",text:n}}}def(t){let e=this.rules.block.def.exec(t);if(e){if(!this.rules.other.startAngleBracket.test(e[2])&&er(e[2],"()")!==-1)return;let n=Ye(e[1]),r=e[2]?
e[2].replace(this.rules.other.hrefBrackets,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",s=e[3]?e[3].substring(1,e[3].length-1).replace(this.rules.inline.
anyPunctuation,"$1"):e[3];return{type:"def",tag:n,raw:Y(e[0],`
`),href:r,title:s}}}table(t){let e=this.rules.block.table.exec(t);if(!e||!this.rules.other.tableDelimiter.test(e[2]))return;let n=Vn(e[1]),r=e[2].replace(this.rules.
other.tableAlignChars,"").split("|"),s=e[3]?.trim()?e[3].replace(this.rules.other.tableRowBlankLine,"").split(`
`):[],i={type:"table",raw:Y(e[0],`
`),header:[],align:[],rows:[]};if(n.length===r.length){for(let o of r)this.rules.other.tableAlignRight.test(o)?i.align.push("right"):this.rules.other.tableAlignCenter.
test(o)?i.align.push("center"):this.rules.other.tableAlignLeft.test(o)?i.align.push("left"):i.align.push(null);for(let o=0;o<n.length;o++)i.header.push({text:n[o],
tokens:this.lexer.inline(n[o]),header:!0,align:i.align[o]});for(let o of s)i.rows.push(Vn(o,i.header.length).map((a,u)=>({text:a,tokens:this.lexer.inline(a),header:!1,
align:i.align[u]})));return i}}lheading(t){let e=this.rules.block.lheading.exec(t);if(e){let n=e[1].trim();return{type:"heading",raw:Y(e[0],`
`),depth:e[2].charAt(0)==="="?1:2,text:n,tokens:this.lexer.inline(n)}}}paragraph(t){let e=this.rules.block.paragraph.exec(t);if(e){let n=e[1].charAt(e[1].length-
1)===`
`?e[1].slice(0,-1):e[1];return{type:"paragraph",raw:e[0],text:n,tokens:this.lexer.inline(n)}}}text(t){let e=this.rules.block.text.exec(t);if(e)return{type:"text",
raw:e[0],text:e[0],tokens:this.lexer.inline(e[0])}}escape(t){if(t.charCodeAt(0)!==92)return;let e=this.rules.inline.escape.exec(t);if(e)return{type:"escape",raw:e[0],
text:e[1]}}tag(t){if(t.charCodeAt(0)!==60)return;let e=this.rules.inline.tag.exec(t);if(e)return!this.lexer.state.inLink&&this.rules.other.startATag.test(e[0])?
this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.endATag.test(e[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.
startPreScriptTag.test(e[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.endPreScriptTag.test(e[0])&&(this.lexer.state.inRawBlock=
!1),{type:"html",raw:e[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:e[0]}}link(t){if(this.lexer.state.linkParenPossible===
!1)return;let e=t.charCodeAt(0);if(e!==91&&e!==33)return;let n=this.rules.inline.link.exec(t);if(n){let r=n[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&nr(
t,n[1],r,this.rules))return;let s=n[2].trim();if(!this.options.pedantic&&this.rules.other.startAngleBracket.test(s)){if(!this.rules.other.endAngleBracket.test(s))
return;let u=Y(s.slice(0,-1),"\\");if((s.length-u.length)%2===0)return}else{let u=er(n[2],"()");if(u===-2)return;if(u>-1){let h=(n[0].indexOf("!")===0?5:4)+n[1].
length+u;n[2]=n[2].substring(0,u),n[0]=n[0].substring(0,h).trim(),n[3]=""}}let i=Y(n[0].slice(0,-1),"\\");if((n[0].length-i.length)%2===0)return;let o=n[2],a="";
if(this.options.pedantic){let u=this.rules.other.pedanticHrefTitle.exec(o);u&&(o=u[1],a=u[3])}else a=n[3]?n[3].slice(1,-1):"";return o=o.trim(),this.rules.other.
startAngleBracket.test(o)&&(this.options.pedantic&&!this.rules.other.endAngleBracket.test(s)?o=o.slice(1):o=o.slice(1,-1)),tr(n,{href:o&&o.replace(this.rules.inline.
anyPunctuation,"$1"),title:a&&a.replace(this.rules.inline.anyPunctuation,"$1")},n[0],this.lexer,this.rules)}}reflink(t,e){let n=t.charCodeAt(0);if(n!==91&&n!==33)
return;let r;if((r=this.rules.inline.reflink.exec(t))||(r=this.rules.inline.nolink.exec(t))){let s=r[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&nr(t,r[1],
s,this.rules))return;let i=e[Ye(r[2]||r[1])];if(!i){let o=r[0].charAt(0);return{type:"text",raw:o,text:o}}return tr(r,i,r[0],this.lexer,this.rules)}}emStrong(t,e,n=""){
let r=this.rules.inline.emStrongLDelim.exec(t);if(!r||!r[1]&&!r[2]&&!r[3]&&!r[4])return;let s=r[0][0],i=n===s,o=e.length-t.length,a=o;for(;!this.options.pedantic&&
a>0&&e[a-1]===s;)a--;let u=[...e.slice(Math.max(0,a-2),a)].at(-1)??"",h=u==="*"||u==="_"||!!this.rules.inline.punctuation.exec(u);a<o&&(n=u);let d=a<o?h:n==="*"||
n==="_"||!!this.rules.inline.punctuation.exec(n);if(r[4]&&n.match(this.rules.other.unicodeAlphaNumeric))return;let g=r[1]||r[3]||"";if(!g||!n||d){let f=[...r[0]].
length-1,b,m,_=f,w=0,v=o-a+f,M=!this.options.pedantic&&!!u.trim()&&(!!g||s==="*"&&!h);if(s!=="*"&&s!=="_")return;let E=s==="*"?this.rules.inline.emStrongRDelimAst:
this.rules.inline.emStrongRDelimUnd,W=hr(this,e,s),D=e.length-t.length+f;if(W<D)return;e=e.slice(-1*t.length+f);let K=W-D;for(E.lastIndex=0;(r=E.exec(e))!==null&&
!(r.index>K);){if(b=r[1]||r[2]||r[3]||r[4]||r[5]||r[6],!b)continue;if(m=[...b].length,r[3]||r[4]){_+=m;continue}else if((r[5]||r[6]||M)&&v%3&&!((v+m)%3)){if(i&&
(r[5]||r[6]))break;w+=m;continue}if(_-=m,_>0)continue;m=Math.min(m,m+_+w);let H=[...r[0]][0].length,J=t.slice(0,f+r.index+H+m);if(Math.min(f,m)%2){let ae=J.slice(
1,-1);return{type:"em",raw:J,text:ae,tokens:this.lexer.inlineTokens(ae)}}let ee=J.slice(2,-2);return{type:"strong",raw:J,text:ee,tokens:this.lexer.inlineTokens(
ee)}}}}codespan(t){if(t.charCodeAt(0)!==96)return;let e=this.rules.inline.code.exec(t);if(e){let n=e[2].replace(this.rules.other.newLineCharGlobal," "),r=this.rules.
other.nonSpaceChar.test(n),s=this.rules.other.startingSpaceChar.test(n)&&this.rules.other.endingSpaceChar.test(n);return r&&s&&(n=n.substring(1,n.length-1)),{type:"\
codespan",raw:e[0],text:n}}}br(t){let e=t.charCodeAt(0);if(e!==32&&e!==92&&e!==10)return;let n=this.rules.inline.br.exec(t);if(n)return{type:"br",raw:n[0]}}del(t,e,n=""){
if(t.charCodeAt(0)!==126)return;let r=this.rules.inline.delLDelim.exec(t);if(r&&(!r[1]||!n||this.rules.inline.punctuation.exec(n))){let s=[...r[0]].length-1,i,o,
a=s,u=this.rules.inline.delRDelim,h=fr(this,e),d=e.length-t.length+s;if(h<d)return;e=e.slice(-1*t.length+s);let g=h-d;for(u.lastIndex=0;(r=u.exec(e))!==null&&!(r.
index>g);){if(i=r[1]||r[2]||r[3]||r[4]||r[5]||r[6],!i||(o=[...i].length,o!==s))continue;if(r[3]||r[4]){a+=o;continue}if(a-=o,a>0)continue;o=Math.min(o,o+a);let f=[
...r[0]][0].length,b=t.slice(0,s+r.index+f+o),m=b.slice(s,-s);return{type:"del",raw:b,text:m,tokens:this.lexer.inlineTokens(m)}}}}autolink(t){if(t.charCodeAt(0)!==
60)return;let e=this.rules.inline.autolink.exec(t);if(e){let n,r;return e[2]==="@"?(n=e[1],r="mailto:"+n):(n=e[1],r=n),{type:"link",raw:e[0],text:n,href:r,autolink:!0,
tokens:[{type:"text",raw:n,text:n}]}}}url(t){let e;if(e=this.rules.inline.url.exec(t)){let n,r;if(e[2]==="@")n=e[0],r="mailto:"+n;else{let s;do s=e[0],e[0]=this.
rules.inline._backpedal.exec(e[0])?.[0]??"";while(s!==e[0]);n=e[0],e[1]==="www."?r="http://"+e[0]:r=e[0]}return{type:"link",raw:e[0],text:n,href:r,autolink:!0,tokens:[
{type:"text",raw:n,text:n}]}}}inlineText(t){let e=this.rules.inline.text.exec(t);if(e){let n=this.lexer.state.inRawBlock;return{type:"text",raw:e[0],text:n?e[0]:
xi(e[0]),escaped:n}}}},X=class At{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||
be,this.options.tokenizer=this.options.tokenizer||new me,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.
inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let n={other:I,block:Ke.normal,inline:Le.normal};this.options.pedantic?
(n.block=Ke.pedantic,n.inline=Le.pedantic):this.options.gfm&&(n.block=Ke.gfm,this.options.breaks?n.inline=Le.breaks:n.inline=Le.gfm),this.tokenizer.rules=n}static get rules(){
return{block:Ke,inline:Le}}static lex(e,n){return new At(n).lex(e)}static lexInline(e,n){return new At(n).inlineTokens(e)}lex(e){e=e.replace(I.carriageReturn,`
`),this.blockTokens(e,this.tokens);for(let n=0;n<this.inlineQueue.length;n++){let r=this.inlineQueue[n];this.state.inRawBlock=!1,this.inlineTokens(r.src,r.tokens)}
return this.inlineQueue=[],this.tokens}blockTokens(e,n=[],r=!1){this.tokenizer.lexer=this;let s=this.state.lastToken;this.options.pedantic&&(e=e.replace(I.tabCharGlobal,
"    ").replace(I.spaceLine,""));let i=1/0,o,a=this.options.gfm&&!this.options.pedantic&&this.tokenizer.paragraph===me.prototype.paragraph;for(;e;){if(e.length<
i)i=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=n.at(-1);let u;if(this.options.extensions?.block?.some(d=>(u=d.call({lexer:this},
e,n))?(e=e.substring(u.raw.length),n.push(u),!0):!1))continue;if(u=this.tokenizer.space(e)){e=e.substring(u.raw.length);let d=n.at(-1);u.raw.length===1&&d!==void 0?
d.raw+=`
`:n.push(u);continue}if(u=this.tokenizer.code(e)){e=e.substring(u.raw.length);let d=n.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.text,this.inlineQueue.at(-1).src=d.text):n.push(u);continue}if(u=this.tokenizer.fences(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.
heading(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.hr(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.blockquote(
e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.list(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.html(e)){e=e.
substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.def(e)){e=e.substring(u.raw.length);let d=n.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=
(d.raw.endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.raw,this.inlineQueue.at(-1).src=d.text):(this.tokens.links[u.tag]||(this.tokens.links[u.tag]={href:u.href,title:u.title}),n.push(u));continue}if(u=this.tokenizer.
table(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.lheading(e)){e=e.substring(u.raw.length),n.push(u);continue}let h=e;if(this.options.
extensions?.startBlock){let d=1/0,g=e.slice(1),f;this.options.extensions.startBlock.forEach(b=>{f=b.call({lexer:this},g),typeof f=="number"&&f>=0&&(d=Math.min(d,
f))}),d<1/0&&d>=0&&(h=e.substring(0,d+1))}if(this.state.top&&(u=this.tokenizer.paragraph(h))){let d=n.at(-1);(r||d===o&&a)&&d?.type==="paragraph"?(d.raw+=(d.raw.
endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text,o=d):(n.push(u),o=u),r=h.length!==e.length,e=e.substring(u.raw.length);continue}if(u=this.tokenizer.
text(e)){e=e.substring(u.raw.length);let d=n.at(-1);d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text):n.push(u);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=
!0,this.state.lastToken=s,n}inline(e,n=[]){return this.inlineQueue.push({src:e,tokens:n}),n}linkInText(e){if(!e.includes("["))return!1;let n=this.tokenizer.rules.
inline.link;for(let r of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(n.test(r[0])&&e.charAt(r.index-1)!=="!")return!0;for(let r of e.matchAll(this.tokenizer.
rules.inline.reflinkSearch)){let s=r[0],i=s.lastIndexOf("[");if(!(s.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,Ye(s.slice(i+1,-1))))&&!(i>1&&this.linkInText(
s.slice(1,i-1))))return!0}return!1}inlineTokens(e,n=[]){this.tokenizer.lexer=this;let r=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");
try{return this.#t(e,n)}finally{this.state.linkParenPossible=r}}#t(e,n){let r=e.includes("*")||e.includes("_")||e.includes("~"),s=r||this.options.hooks?.emStrongMask||
this.tokenizer.emStrong!==me.prototype.emStrong||this.tokenizer.del!==me.prototype.del?this.#r(e):e;if(!r)return this.#n(e,s,n);wi(this.tokenizer,s);try{return this.#n(
e,s,n)}finally{Si(this.tokenizer)}}#n(e,n,r){let s=!1,i="",o=1/0;for(;e;){if(e.length<o)o=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}s||(i=""),
s=!1;let a;if(this.options.extensions?.inline?.some(d=>(a=d.call({lexer:this},e,r))?(e=e.substring(a.raw.length),r.push(a),!0):!1))continue;if(a=this.tokenizer.
escape(e)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.tag(e)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.link(e)){
e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(a.raw.length);let d=r.at(-1);a.type==="text"&&d?.
type==="text"?(d.raw+=a.raw,d.text+=a.text):r.push(a);continue}let u=e[0];if(u==="*"||u==="_"){let d=n.length-e.length;if(hr(this.tokenizer,n,u)<=d){let g=1;for(;g<
e.length&&e.charCodeAt(g)===u.charCodeAt(0);)g++;let f=e.substring(0,g),b=r.at(-1);b?.type==="text"&&!b.escaped?(b.raw+=f,b.text+=f):r.push({type:"text",raw:f,text:f,
escaped:!1}),e=e.substring(g),i=u,s=!0;continue}}else if(u==="~"){let d=n.length-e.length;if(fr(this.tokenizer,n)<=d){let g=1;for(;g<e.length&&e.charCodeAt(g)===
126;)g++;let f=e.substring(0,g),b=r.at(-1);b?.type==="text"&&!b.escaped?(b.raw+=f,b.text+=f):r.push({type:"text",raw:f,text:f,escaped:!1}),e=e.substring(g),i=u,
s=!0;continue}}if(a=this.tokenizer.emStrong(e,n,i)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.codespan(e)){e=e.substring(a.raw.length),
r.push(a);continue}if(a=this.tokenizer.br(e)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.del(e,n,i)){e=e.substring(a.raw.length),r.push(
a);continue}if(a=this.tokenizer.autolink(e)){e=e.substring(a.raw.length),r.push(a);continue}if(!this.state.inLink&&(a=this.tokenizer.url(e))){e=e.substring(a.raw.
length),r.push(a);continue}let h=e;if(this.options.extensions?.startInline){let d=1/0,g=e.slice(1),f;this.options.extensions.startInline.forEach(b=>{f=b.call({lexer:this},
g),typeof f=="number"&&f>=0&&(d=Math.min(d,f))}),d<1/0&&d>=0&&(h=e.substring(0,d+1))}if(a=this.tokenizer.inlineText(h)){e=e.substring(a.raw.length),a.raw.slice(
-1)!=="_"&&(i=a.raw.slice(-1)),s=!0;let d=r.at(-1);d?.type==="text"?(d.raw+=a.raw,d.text+=a.text):r.push(a);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));
break}}return r}#e(e){let{blockSkip:n,tag:r,autolink:s}=this.tokenizer.rules.inline,i="",o=0,a;for(n.lastIndex=0;a=n.exec(e);){let u=a.index+(a[2]?a[2].length:0),
h=a.index+a[0].length;if(e.charAt(u)==="<"){let d=e.slice(u),g=r.exec(d)||s.exec(d);if(!g){n.lastIndex=u+1;continue}h=u+g[0].length,n.lastIndex=h}i+=e.slice(o,u)+
"["+"a".repeat(h-u-2)+"]",o=h}return i+e.slice(o)}#r(e){let n=e;if(this.tokens.links&&e.includes("[")){let r=this.tokenizer.rules.inline.reflinkSearch,s=i=>{let o=i.
lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,Ye(i.slice(o+1,-1))))return i;if(o>1&&i.charAt(0)!=="!"){let a=i.slice(1,o-1);if(this.linkInText(a))return"\
["+a.replace(r,s)+"]["+"a".repeat(i.length-o-2)+"]"}return"["+"a".repeat(i.length-2)+"]"};n=n.replace(r,s)}return n=n.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,
(r,s,i)=>i?"+".repeat(r.length):s?s+r.slice(s.length,-s.length).replace(/`/g,"+")+s:r),n=this.#e(n),n=this.options.hooks?.emStrongMask?.call({lexer:this},n)??n,
n}infiniteLoopError(e){let n="Infinite loop on byte: "+e;if(this.options.silent)console.error(n);else throw new Error(n)}},et=class{options;parser;constructor(t){
this.options=t||be}space(t){return""}code({text:t,lang:e,escaped:n}){let r=(e||"").match(I.notSpaceStart)?.[0],s=t?t.replace(I.endingNewline,"")+`
`:"";return r?'<pre><code class="language-'+j(r)+'">'+(n?s:j(s,!0))+`</code></pre>
`:"<pre><code>"+(n?s:j(s,!0))+`</code></pre>
`}blockquote({tokens:t}){return`<blockquote>
${this.parser.parse(t)}</blockquote>
`}html({text:t}){return t}def(t){return""}heading({tokens:t,depth:e}){return`<h${e}>${this.parser.parseInline(t)}</h${e}>
`}hr(t){return`<hr>
`}list(t){let e=t.ordered,n=t.start,r="";for(let o=0;o<t.items.length;o++){let a=t.items[o];r+=this.listitem(a)}let s=e?"ol":"ul",i=e&&n!==1?' start="'+n+'"':"";
return"<"+s+i+`>
`+r+"</"+s+`>
`}listitem(t){return`<li>${this.parser.parse(t.tokens)}</li>
`}checkbox({checked:t}){return"<input "+(t?'checked="" ':"")+'disabled="" type="checkbox"> '}paragraph({tokens:t}){return`<p>${this.parser.parseInline(t)}</p>
`}table(t){let e="",n="";for(let s=0;s<t.header.length;s++)n+=this.tablecell(t.header[s]);e+=this.tablerow({text:n});let r="";for(let s=0;s<t.rows.length;s++){let i=t.
rows[s];n="";for(let o=0;o<i.length;o++)n+=this.tablecell(i[o]);r+=this.tablerow({text:n})}return r&&(r=`<tbody>${r}</tbody>`),`<table>
<thead>
`+e+`</thead>
`+r+`</table>
`}tablerow({text:t}){return`<tr>
${t}</tr>
`}tablecell(t){let e=this.parser.parseInline(t.tokens),n=t.header?"th":"td";return(t.align?`<${n} align="${t.align}">`:`<${n}>`)+e+`</${n}>
`}strong({tokens:t}){return`<strong>${this.parser.parseInline(t)}</strong>`}em({tokens:t}){return`<em>${this.parser.parseInline(t)}</em>`}codespan({text:t}){return`\
<code>${j(t,!0)}</code>`}br(t){return"<br>"}del({tokens:t}){return`<del>${this.parser.parseInline(t)}</del>`}link({href:t,title:e,text:n,tokens:r,autolink:s}){let i=s?
j(n,!0):this.parser.parseInline(r),o=Gn(t);if(o===null)return i;t=j(o,s);let a='<a href="'+t+'"';return e&&(a+=' title="'+j(e)+'"'),a+=">"+i+"</a>",a}image({href:t,
title:e,text:n,tokens:r}){r&&(n=this.parser.parseInline(r,this.parser.textRenderer));let s=Gn(t);if(s===null)return j(n);t=s;let i=`<img src="${j(t)}" alt="${j(
n)}"`;return e&&(i+=` title="${j(e)}"`),i+=">",i}text(t){return"tokens"in t&&t.tokens?this.parser.parseInline(t.tokens):"escaped"in t&&t.escaped?t.text:j(t.text)}},
Xt=class{parser;strong({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}em({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}codespan({
text:t}){return t}del({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}html({text:t}){return t}text({text:t}){return t}link({text:t,tokens:e}){return e?
this.parser.parseInline(e,this):t}image({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}br(){return`
`}checkbox({raw:t}){return t}},U=class Mt{options;renderer;textRenderer;constructor(e){this.options=e||be,this.options.renderer=this.options.renderer||new et,this.
renderer=this.options.renderer,this.renderer.options=this.options,this.renderer.parser=this,this.textRenderer=new Xt,this.textRenderer.parser=this}static parse(e,n){
return new Mt(n).parse(e)}static parseInline(e,n){return new Mt(n).parseInline(e)}parse(e){this.renderer.parser=this;let n="";for(let r=0;r<e.length;r++){let s=e[r];
if(this.options.extensions?.renderers?.[s.type]){let o=s,a=this.options.extensions.renderers[o.type].call({parser:this},o);if(a!==!1||!["space","hr","heading","\
code","table","blockquote","list","checkbox","html","def","paragraph","text"].includes(o.type)){n+=a===!1?"":a??"";continue}}let i=s;switch(i.type){case"space":{
n+=this.renderer.space(i);break}case"hr":{n+=this.renderer.hr(i);break}case"heading":{n+=this.renderer.heading(i);break}case"code":{n+=this.renderer.code(i);break}case"\
table":{n+=this.renderer.table(i);break}case"blockquote":{n+=this.renderer.blockquote(i);break}case"list":{n+=this.renderer.list(i);break}case"checkbox":{n+=this.
renderer.checkbox(i);break}case"html":{n+=this.renderer.html(i);break}case"def":{n+=this.renderer.def(i);break}case"paragraph":{n+=this.renderer.paragraph(i);break}case"\
text":{n+=this.renderer.text(i);break}default:{let o='Token with "'+i.type+'" type was not found.';if(this.options.silent)return console.error(o),"";throw new Error(
o)}}}return n}parseInline(e,n=this.renderer){this.renderer.parser=this;let r="";for(let s=0;s<e.length;s++){let i=e[s];if(this.options.extensions?.renderers?.[i.
type]){let a=this.options.extensions.renderers[i.type].call({parser:this},i);if(a!==!1||!["escape","html","link","image","checkbox","strong","em","codespan","br",
"del","text"].includes(i.type)){r+=a===!1?"":a??"";continue}}let o=i;switch(o.type){case"escape":{r+=n.text(o);break}case"html":{r+=n.html(o);break}case"link":{
r+=n.link(o);break}case"image":{r+=n.image(o);break}case"checkbox":{r+=n.checkbox(o);break}case"strong":{r+=n.strong(o);break}case"em":{r+=n.em(o);break}case"co\
despan":{r+=n.codespan(o);break}case"br":{r+=n.br(o);break}case"del":{r+=n.del(o);break}case"text":{r+=n.text(o);break}default:{let a='Token with "'+o.type+'" t\
ype was not found.';if(this.options.silent)return console.error(a),"";throw new Error(a)}}}return r}},je=class{options;block;constructor(t){this.options=t||be}static passThroughHooks=new Set(
["preprocess","postprocess","processAllTokens","emStrongMask"]);static passThroughHooksRespectAsync=new Set(["preprocess","postprocess","processAllTokens"]);preprocess(t){
return t}postprocess(t){return t}processAllTokens(t){return t}emStrongMask(t){return t}provideLexer(t=this.block){return t?X.lex:X.lexInline}provideParser(t=this.
block){return t?U.parse:U.parseInline}};function oe(t,e){if(Array.isArray(e))for(let n=0;n<e.length;n++)t.push(e[n]);else t.push(e)}var Ei=class{defaults=Pt();options=this.
setOptions;parse=this.parseMarkdown(!0);parseInline=this.parseMarkdown(!1);Parser=U;Renderer=et;TextRenderer=Xt;Lexer=X;Tokenizer=me;Hooks=je;constructor(...t){
this.use(...t)}walkTokens(t,e){let n=[];for(let r of t)switch(oe(n,e.call(this,r)),r.type){case"table":{let s=r;for(let i of s.header)oe(n,this.walkTokens(i.tokens,
e));for(let i of s.rows)for(let o of i)oe(n,this.walkTokens(o.tokens,e));break}case"list":{let s=r;oe(n,this.walkTokens(s.items,e));break}default:{let s=r;this.
defaults.extensions?.childTokens?.[s.type]?this.defaults.extensions.childTokens[s.type].forEach(i=>{let o=s[i].flat(1/0);oe(n,this.walkTokens(o,e))}):s.tokens&&
oe(n,this.walkTokens(s.tokens,e))}}return n}use(...t){let e=this.defaults.extensions||{renderers:Object.create(null),childTokens:Object.create(null)};return t.forEach(
n=>{let r={...n};if(r.async=this.defaults.async||r.async||!1,n.extensions&&(n.extensions.forEach(s=>{if(!s.name)throw new Error("extension name required");if("r\
enderer"in s){let i=e.renderers[s.name];i?e.renderers[s.name]=function(...o){let a=s.renderer.apply(this,o);return a===!1&&(a=i.apply(this,o)),a}:e.renderers[s.
name]=s.renderer}if("tokenizer"in s){if(!s.level||s.level!=="block"&&s.level!=="inline")throw new Error("extension level must be 'block' or 'inline'");let i=e[s.
level];i?i.unshift(s.tokenizer):e[s.level]=[s.tokenizer],s.start&&(s.level==="block"?e.startBlock?e.startBlock.push(s.start):e.startBlock=[s.start]:s.level==="i\
nline"&&(e.startInline?e.startInline.push(s.start):e.startInline=[s.start]))}"childTokens"in s&&s.childTokens&&(e.childTokens[s.name]=s.childTokens)}),r.extensions=
e),n.renderer){let s=this.defaults.renderer||new et(this.defaults);for(let i in n.renderer){if(!(i in s))throw new Error(`renderer '${i}' does not exist`);if(["\
options","parser"].includes(i))continue;let o=i,a=n.renderer[o],u=s[o];s[o]=(...h)=>{let d=a.apply(s,h);return d===!1&&(d=u.apply(s,h)),d===!1?"":d??""}}r.renderer=
s}if(n.tokenizer){let s=this.defaults.tokenizer||new me(this.defaults);for(let i in n.tokenizer){if(!(i in s))throw new Error(`tokenizer '${i}' does not exist`);
if(["options","rules","lexer"].includes(i))continue;let o=i,a=n.tokenizer[o],u=s[o];s[o]=(...h)=>{let d=a.apply(s,h);return d===!1&&(d=u.apply(s,h)),d}}r.tokenizer=
s}if(n.hooks){let s=this.defaults.hooks||new je;for(let i in n.hooks){if(!(i in s))throw new Error(`hook '${i}' does not exist`);if(["options","block"].includes(
i))continue;let o=i,a=n.hooks[o],u=s[o];je.passThroughHooks.has(i)?s[o]=h=>{if(s.options.async&&je.passThroughHooksRespectAsync.has(i))return(async()=>{let g=await a.
call(s,h);return u.call(s,g)})();let d=a.call(s,h);return u.call(s,d)}:s[o]=(...h)=>{if(s.options.async)return(async()=>{let g=await a.apply(s,h);return g===!1&&
(g=await u.apply(s,h)),g})();let d=a.apply(s,h);return d===!1&&(d=u.apply(s,h)),d}}r.hooks=s}if(n.walkTokens){let s=this.defaults.walkTokens,i=n.walkTokens;r.walkTokens=
function(o){let a=[];return oe(a,i.call(this,o)),s&&oe(a,s.call(this,o)),a}}this.defaults={...this.defaults,...r}}),this}setOptions(t){return this.defaults={...this.
defaults,...t},this}lexer(t,e){return X.lex(t,e??this.defaults)}parser(t,e){return U.parse(t,e??this.defaults)}parseMarkdown(t){return(e,n)=>{let r={...n},s={...this.
defaults,...r},i=this.onError(!!s.silent,!!s.async);if(this.defaults.async===!0&&r.async===!1)return i(new Error("marked(): The async option was set to true by \
an extension. Remove async: false from the parse options object to return a Promise."));if(typeof e>"u"||e===null)return i(new Error("marked(): input parameter \
is undefined or null"));if(typeof e!="string")return i(new Error("marked(): input parameter is of type "+Object.prototype.toString.call(e)+", string expected"));
if(s.hooks&&(s.hooks.options=s,s.hooks.block=t),s.async)return(async()=>{let o=s.hooks?await s.hooks.preprocess(e):e,a=await(s.hooks?await s.hooks.provideLexer(
t):t?X.lex:X.lexInline)(o,s),u=s.hooks?await s.hooks.processAllTokens(a):a;s.walkTokens&&await Promise.all(this.walkTokens(u,s.walkTokens));let h=await(s.hooks?
await s.hooks.provideParser(t):t?U.parse:U.parseInline)(u,s);return s.hooks?await s.hooks.postprocess(h):h})().catch(i);try{s.hooks&&(e=s.hooks.preprocess(e));let o=(s.
hooks?s.hooks.provideLexer(t):t?X.lex:X.lexInline)(e,s);s.hooks&&(o=s.hooks.processAllTokens(o)),s.walkTokens&&this.walkTokens(o,s.walkTokens);let a=(s.hooks?s.
hooks.provideParser(t):t?U.parse:U.parseInline)(o,s);return s.hooks&&(a=s.hooks.postprocess(a)),a}catch(o){return i(o)}}}onError(t,e){return n=>{if(n.message+=`\

Please report this to https://github.com/markedjs/marked.`,t){let r="<p>An error occurred:</p><pre>"+j(n.message+"",!0)+"</pre>";return e?Promise.resolve(r):r}if(e)
return Promise.reject(n);throw n}}},ke=new Ei;function q(t,e){return ke.parse(t,e)}q.options=q.setOptions=function(t){return ke.setOptions(t),q.defaults=ke.defaults,
rr(q.defaults),q};q.getDefaults=Pt;q.defaults=be;function _i(...t){return ke.use(...t),q.defaults=ke.defaults,rr(q.defaults),q}q.use=_i;q.walkTokens=function(t,e){
return ke.walkTokens(t,e)};q.parseInline=ke.parseInline;q.Parser=U;q.parser=U.parse;q.Renderer=et;q.TextRenderer=Xt;q.Lexer=X;q.lexer=X.lex;q.Tokenizer=me;q.Hooks=
je;q.parse=q;var Pa=q.options,La=q.setOptions,ja=q.walkTokens,Da=q.parseInline;var za=U.parse,gr=X.lex;var Oi=16;function mr(t){try{return Ut(gr(t,{gfm:!0}),Oi)}catch{return[{type:"plain",raw:t}]}}function Ut(t,e){return t.map(n=>{let r=n,s=r.tokens??r.items;return s===
void 0||s.length===0?n:e===0?{type:"plain",raw:n.raw}:{...n,...r.tokens===void 0?{}:{tokens:Ut(r.tokens,e-1)},...r.items===void 0?{}:{items:Ut(r.items,e-1)}}})}var qi={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",copy:"©",hellip:"…",mdash:"—",ndash:"–",rarr:"→",larr:"←",times:"×"};function kr(t){return t.
replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g,(e,n,r,s)=>{if(s!==void 0)return qi[s]??e;let i=n===void 0?parseInt(r,16):Number(n);return i>0&&
i<=1114111&&(i<55296||i>57343)?String.fromCodePoint(i):"�"})}function br(t){try{let e=new URL(t);return(e.protocol==="https:"||e.protocol==="http:")&&e.username+e.password===""?e:void 0}catch{return}}var Ri=2e5;function Je({text:t}){let e=an(t),n=P({upTo:0,text:"",nodes:[]});if(e.length>Ri)return l("pre",{class:"wrap",children:k(e)});e.startsWith(n.current.text)||
(n.current={upTo:0,text:"",nodes:[]});let r=n.current,s=mr(e.slice(r.upTo)),i=s.length-1;for(;i>0&&s[i].type==="space";)i--;for(let o of s.slice(0,Math.max(0,i)))
r.nodes.push(l(Ht,{token:o},r.upTo)),r.upTo+=o.raw.length;return r.text=e.slice(0,r.upTo),l("div",{class:"prose",dir:"auto",children:[r.nodes,s.slice(Math.max(0,
i)).map((o,a)=>l(Ht,{token:o},`open${a}`))]})}function yr({tokens:t}){return l(R,{children:t?.map((e,n)=>l(Ht,{token:e},n))})}function Ht({token:t}){let e=t;switch(e.
type){case"space":case"def":return null;case"heading":return l("p",{class:`heading h${Math.min(3,e.depth)}`,role:"heading","aria-level":3,children:l(Q,{tokens:e.
tokens})});case"paragraph":return l("p",{children:l(Q,{tokens:e.tokens})});case"code":return l("pre",{tabIndex:0,role:"group","aria-label":"Code",children:l("co\
de",{children:k(e.text)})});case"blockquote":return l("blockquote",{children:l(yr,{tokens:e.tokens})});case"list":return l($i,{list:t});case"table":return l(Ci,
{table:t});case"hr":return l("hr",{});case"text":return l(R,{children:e.tokens===void 0?Zt(e.text):l(Q,{tokens:e.tokens})});default:return l("p",{class:"raw",children:k(
e.raw.trimEnd())})}}function $i({list:t}){let e=t.items.map((n,r)=>l("li",{class:n.task?"task":"",children:[n.task?l("span",{class:"box",role:"img","aria-label":n.
checked?"done":"open",children:n.checked?"☑":"☐"}):null,l(yr,{tokens:(n.tokens??[]).filter(s=>s.type!=="checkbox")})]},r));return t.ordered?l("ol",{start:Number(
t.start)||1,children:e}):l("ul",{children:e})}function Ci({table:t}){let e=n=>t.align[n]==="right"?"right":t.align[n]==="center"?"center":"";return l("div",{class:"\
table",tabIndex:0,role:"group","aria-label":"Table",children:l("table",{children:[l("thead",{children:l("tr",{children:t.header.map((n,r)=>l("th",{scope:"col",class:e(
r),children:l(Q,{tokens:n.tokens})},r))})}),l("tbody",{children:t.rows.map((n,r)=>l("tr",{children:n.map((s,i)=>l("td",{class:e(i),children:l(Q,{tokens:s.tokens})},
i))},r))})]})})}function Q({tokens:t}){return l(R,{children:t?.map((e,n)=>l(Ii,{token:e},n))})}function Ii({token:t}){let e=t;switch(e.type){case"strong":return l(
"strong",{children:l(Q,{tokens:e.tokens})});case"em":return l("em",{children:l(Q,{tokens:e.tokens})});case"del":return l("del",{children:l(Q,{tokens:e.tokens})});case"\
codespan":return l("code",{children:k(e.text)});case"br":return l("br",{});case"link":case"image":return l(Ai,{href:e.href,words:e.text,isImage:e.type==="image",
children:e.type==="link"?l(Q,{tokens:e.tokens}):Zt(e.text)});case"escape":return l(R,{children:k(e.text)});case"text":return l(R,{children:e.tokens===void 0?Zt(
e.text):l(Q,{tokens:e.tokens})});default:return l(R,{children:k(e.raw)})}}function Ai({href:t,words:e,isImage:n,children:r}){let s=br(t);if(s===void 0)return l(
"span",{class:"no-link",children:[n?"image: ":"",r," ",l("span",{class:"leads",children:["(",k(t),")"]})]});let i=e===t||e===s.href;return l(R,{children:[l("a",
{href:s.href,target:"_blank",rel:"noopener noreferrer",children:[n?"image: ":"",r]}),i?null:l("span",{class:"leads",children:[" (",k(s.host),")"]})]})}function Zt(t){
return k(kr(t))}var xr=8,Mi=1e5;function tt({text:t}){let[e,n]=Gt(!1),r=t.replace(/\n+$/,""),s=qe(()=>r.split(`
`),[r]),i=e?r.slice(-Mi):s.slice(-xr).join(`
`).slice(-4e3),o=qe(()=>on(i),[i]);if(r==="")return null;let a=s.length-xr;return l("div",{class:"output",children:[a>0?l("button",{type:"button",class:"more","\
aria-expanded":e,onClick:()=>n(!e),children:e?"Show less":`${a} lines before`}):null,l("pre",{tabIndex:0,role:"group","aria-label":"Output",children:o.map((u,h)=>u.
classes===""?u.text:l("span",{class:u.classes,children:u.text},h))})]})}var Pi=/^sha256:([0-9a-f]{64});(image\/(?:png|jpeg|gif|webp))$/;function nt({session:t,images:e}){return l("p",{class:"sent",children:e.map((n,r)=>l(Li,{session:t,
image:n,number:r+1},r))})}function Li({session:t,image:e,number:n}){let r=rn(),s=N(""),i=N(""),o=N(!1);ne(()=>()=>{s.peek()!==""&&URL.revokeObjectURL(s.peek())},
[]);let a=async()=>{let[,u,h]=Pi.exec(e)??[];if(u===void 0){i.value="The log names an image in a way that this page does not know.";return}o.value=!0,i.value="";
try{let d=await(await r.client.session(t).image(u)).arrayBuffer();s.value=URL.createObjectURL(new Blob([d],{type:h}))}catch(d){i.value=Vt(d)}o.value=!1};return s.
value!==""?l("img",{class:"picture",src:s.value,alt:`Image ${n} of this prompt`}):l(R,{children:[l("button",{type:"button",class:"small",disabled:o.value,onClick:()=>{
a()},children:o.value?"Fetching…":`Show image ${n}`}),i.value===""?null:l("span",{class:"error",role:"alert",children:i.value})]})}var wr={pending:["·","is being written"],awaiting_approval:["!","waits for an approval"],running:["◐","runs"],completed:["✓","done"],error:["✕","failed"]};
function Sr({data:t}){let[e,n]=wr[t.status]??["·",t.status],r=t.command??Tr(t.arguments),s=r!==void 0&&!r.includes(`
`)&&r.length<=120,i=t.diff===void 0&&t.arguments!==void 0?Ue(t.arguments):void 0,o=[t.exitCode!==void 0&&t.exitCode!==0?`exit ${t.exitCode}`:"",t.durationMs===void 0?
"":Fe(t.durationMs)].filter(a=>a!=="");return l(R,{children:[l("p",{class:`call call-${wr[t.status]===void 0?"pending":t.status}`,children:[l("span",{class:"cal\
l-sign",role:"img","aria-label":n,children:e}),l("span",{class:"call-name",children:k(t.toolName)}),s?l("code",{class:"call-subject",children:k(r)}):null,o.length===
0?null:l("span",{class:"call-facts",children:o.join(" · ")})]}),t.status==="awaiting_approval"?null:l(ji,{data:t,long:s?void 0:r,edits:i})]})}function ji({data:t,
long:e,edits:n}){return l(R,{children:[e===void 0?null:l("pre",{class:"command",tabIndex:0,role:"group","aria-label":"Command",children:k(e)}),t.diff!==void 0?l(
ye,{text:t.diff,fold:40}):n!==void 0?l(ye,{lines:n,fold:40,label:"What is to be replaced"}):null,t.output===void 0?null:l(tt,{text:t.output}),t.command===void 0&&
Tr(t.arguments)===void 0&&n===void 0&&t.arguments?l("details",{class:"arguments",children:[l("summary",{children:"Arguments"}),l("pre",{class:"wrap",children:k(
t.arguments)})]}):null]})}function Tr(t){if(!(t===void 0||t.length>1e5))try{let e=JSON.parse(t),n=["path","file_path","pattern","query","url","command"].map(r=>e[r]).
find(r=>typeof r=="string");return typeof n=="string"?n:void 0}catch{return}}function vr({session:t,id:e}){let n=t.entry(e);if(n===void 0)return null;let r=tn.value,s=r.view==="session"&&r.entry===e&&r.id===t.id;return l("article",{class:`\
entry entry-${Di.has(n.entryType)?n.entryType:"unknown"}${n.open?" open":""}${s?" target":""}`,"aria-label":zi(n),id:`e-${e}`,tabIndex:-1,children:[l("a",{class:"\
anchor",href:nn({view:"session",id:t.id,entry:e}),"data-place":!0,"aria-label":"Link to this entry",title:"Link to this entry",children:"#"}),l(Ni,{entry:n,session:t.
id}),"truncated"in n.data&&n.data.truncated===!0?l(Hn,{session:t.id,entry:e,isOpen:n.open===!0,bytes:n.data.bytes}):null,n.incomplete?l("p",{class:"note",children:[
"Cut off",n.reason===void 0?"":`: ${k(n.reason)}`,"."]}):null]})}var Di=new Set(["user_message","assistant_message","thinking","tool_call","tool_result","plan",
"compaction","system"]);function zi(t){let e={user_message:"You",assistant_message:"Agent",thinking:"Thinking",tool_result:"Result",plan:"Plan",compaction:"Comp\
action",system:"Notice"};return t.entryType==="tool_call"?`Tool ${k(t.data.toolName)}, ${t.data.status}`:e[t.entryType]??"Entry"}function Ni({entry:t,session:e}){
switch(t.entryType){case"user_message":return l(Ji,{data:t.data,session:e});case"assistant_message":return t.data.text===""&&t.open?l("p",{class:"note",children:"\
…"}):l(Je,{text:t.data.text});case"thinking":return l(Bi,{data:t.data,isOpen:t.open===!0});case"tool_call":return l(Sr,{data:t.data});case"tool_result":return l(
Fi,{data:t.data});case"plan":return l(Ui,{data:t.data});case"compaction":return l(Hi,{data:t.data});case"system":return l(Zi,{data:t.data});default:return l(Be,
{summary:`An entry of the kind “${k(String(t.entryType))}”, which this page does not know`,children:l("pre",{class:"wrap",children:k(JSON.stringify(t.data,null,
2))})})}}function Ji({data:t,session:e}){return l(R,{children:[l(Qt,{text:t.text}),t.images===void 0||t.images.length===0?null:l(nt,{session:e,images:t.images})]})}
function Qt({text:t}){let e=t.split(`
`);if(e.length<=14&&t.length<=2e3)return l("p",{class:"typed",dir:"auto",children:k(t)});let n=e.slice(0,8).join(`
`).slice(0,1200);return l(Be,{summary:l("span",{class:"typed",dir:"auto",children:[k(n),"…"]}),children:l("p",{class:"typed",dir:"auto",children:k(t)})})}function Be({
summary:t,children:e,isOpen:n}){return l("details",{open:n,children:[l("summary",{children:t}),e]})}function Bi({data:t,isOpen:e}){let n=t.text||(t.summary??[]).
join(`

`),r=n.trim().split(`
`).at(e?-1:0)??"";return l(Be,{summary:l(R,{children:[l("span",{class:"kind",children:e?"Thinking":"Thought"})," ",l("span",{class:"glimpse",dir:"auto",children:k(
r.slice(0,160))})]}),children:l(Je,{text:n})})}function Fi({data:t}){return l(R,{children:[t.isError?l("p",{class:"error",children:"The call failed."}):null,l(tt,
{text:t.output})]})}var Xi={completed:"✓",in_progress:"▸",pending:"○"};function Ui({data:t}){return l(R,{children:[l("p",{class:"kind",children:"Plan"}),t.
text?l(Je,{text:t.text}):null,t.steps===void 0?null:l("ul",{class:"plan",children:t.steps.map((e,n)=>l("li",{class:e.status==="completed"?"done":e.status==="in_\
progress"?"now":"",children:[l("span",{class:"box",role:"img","aria-label":k(e.status??"step"),children:Xi[e.status??""]??"·"}),l("span",{dir:"auto",children:k(
e.text)})]},n))})]})}function Hi({data:t}){let e=t.tokensBefore===void 0?"":` ${Xe(t.tokensBefore)} tokens`;return l(Be,{summary:l(R,{children:[l("span",{class:"\
kind",children:"Compacted"}),e," of the conversation into a summary"]}),children:l(Je,{text:t.summary})})}function Zi({data:t}){let e=k(t.text);return t.native!==
void 0?l(Be,{summary:e||`Event of the agent: ${k(t.kind??"unknown")}`,children:l("pre",{class:"wrap",children:k(JSON.stringify(t.native,null,2))})}):l("p",{class:t.
level==="error"?"error":t.level==="warning"?"warning":"note",dir:"auto",children:e||k(t.kind??"")})}function Er({item:t,session:e}){switch(t.kind){case"entry":return l(vr,{session:e,id:t.id});case"prompt":return l("article",{class:"entry entry-user_message","a\
ria-label":"You",children:[l(Qt,{text:t.turn.prompt?.text??""}),t.turn.prompt?.images?.length?l(nt,{session:e.id,images:t.turn.prompt.images}):null]});case"end":
return l(Qi,{turn:t.turn});case"answer":return l(Ki,{request:t.request});case"unread":return l("p",{class:"mark unread",children:l("span",{children:"New since y\
ou were here"})});case"child":{let{child:n}=t,r=n.ended??n.turnStatus;return l("p",{class:"mark",children:["Session below: ",l("a",{href:`/s/${n.childSessionId}`,
"data-place":!0,dir:"auto",children:k(n.title??n.childSessionId.slice(0,8))}),r===void 0?"":` · ${k(r)}`]})}}}function Qi({turn:t}){let e=[t.endTs===void 0?"":
Fe(t.endTs-t.startTs),t.usage===void 0?"":`${Xe(t.usage.totalTokens)} tokens`].filter(n=>n!=="").join(" · ");return t.status==="completed"?l("p",{class:"mark t\
urn-end",children:l("span",{children:e})}):t.status==="interrupted"?l("p",{class:"mark turn-end",children:l("span",{children:["Interrupted ",en[t.cause??""]??"",
" · ",e]})}):l("div",{class:"failure",role:"group","aria-label":"The turn failed",children:[l("p",{children:[l("strong",{children:"The turn failed."})," ",t.error===
void 0?null:l("span",{dir:"auto",children:k(t.error)})]}),t.hint===void 0?null:l("p",{dir:"auto",children:k(t.hint)}),l("p",{class:"note",children:e})]})}var Wi={
allowed:"Allowed",denied:"Denied",answered:"Answered",failed:"Failed",cancelled:"Withdrawn",expired:"Expired without an answer"};function Ki({request:t}){let{outcome:e,
option:n,by:r,message:s,answers:i,rule:o,mode:a}=t.resolved,u=r!=="policy"?"":o!==void 0?`, its rule ${o}`:a!==void 0?`, which is ${a}`:"",h=t.kind==="approval"?
[t.toolName,t.subject].filter(Boolean).join(" "):t.title,d=[n==="allow_always"?"for always":n==="deny_stop"?"and the turn stopped":"",i?.flat().join(", ")??""].
filter(g=>g!=="").join(" ");return l("p",{class:`mark answered answered-${e==="allowed"||e==="answered"?"yes":"no"}`,children:[l("span",{dir:"auto",children:[Wi[e]??
k(e)," ",k(d)," · ",k(h)]})," ",l("span",{class:"by",children:["by ",k(r.replace(/^client:/,"")+u)]}),s?l("span",{class:"by",dir:"auto",children:[" “",k(s),"\
”"]}):null]})}var Vi=200,Yi=150,eo=48;function Jl({session:t,tail:e,isAtEnd:n,target:r,seen:s}){let i=P(null),o=P(new Map),a=P(!0),u=P(0),h=N({top:0,view:800,isAtEnd:!0}),d=N(
void 0);ne(()=>{let x=setTimeout(()=>{d.value=t},Yi);return()=>clearTimeout(x)},[t]);let g=N(0),f=t.entries.value,b=t.head.value,m=qe(()=>Fn(t.fold.state,s),[t,
f,b,s]),_=x=>o.current.get(m[x].id)??72,{top:w,view:v,isAtEnd:M}=h.value,E=M?Un(m.length,_,v,d.value===t?v+400:Vi):Xn(m.length,_,w,v),W=P(m.length);ne(()=>{!a.current&&
m.length>W.current&&(g.value+=m.length-W.current),W.current=m.length},[m]);let D=P(null),K=P(new WeakSet),H=P(!1),J=P(!1),ee=x=>{a.current&&(x.scrollTop=x.scrollHeight,
u.current=x.scrollTop)};rt(()=>{let x=i.current;return D.current=new ResizeObserver(z=>{for(let{target:C}of z){let B=C.dataset.item;B!==void 0&&C.offsetHeight>0&&
o.current.set(B,C.offsetHeight)}H.current&&Oe(),ee(x)}),K.current=new WeakSet,D.current.observe(x),D.current.observe(x.lastElementChild),()=>D.current?.disconnect()},
[t]),rt(()=>{let x=i.current;for(let z of x.querySelectorAll("[data-item]"))K.current.has(z)||(K.current.add(z),D.current?.observe(z));J.current&&(J.current=!1,
ee(x))});let ae=P(void 0);ne(()=>{let x=r===void 0?-1:m.findIndex(B=>B.id===r);if(x<0||ae.current===r)return;ae.current=r,a.current=!1;let z=i.current,C=0;for(let B=0;B<
x;B++)C+=_(B);z.scrollTop=Math.max(0,C-z.clientHeight/3),h.value={...h.peek(),top:C,isAtEnd:!1},n.value=!1,_r(z,r,6)},[m,r]);let _e=()=>{H.current||(H.current=!0,
requestAnimationFrame(()=>setTimeout(()=>{H.current&&Oe()})))},Oe=()=>{H.current=!1;let x=i.current;if(x===null)return;let C=x.scrollHeight-x.scrollTop-x.clientHeight<
eo||a.current&&x.scrollTop>=u.current;a.current=C;let B=h.peek(),Wt=x.clientHeight;(!C||!B.isAtEnd||B.view!==Wt)&&(h.value={top:x.scrollTop-x.firstElementChild.
offsetTop,view:Wt,isAtEnd:C}),n.value=C,C&&(g.value=0)},te=()=>{a.current=!0,J.current=!0,g.value=0,h.value={...h.peek(),isAtEnd:!0},n.value=!0};return l("div",
{class:"transcript",children:[l("div",{class:`log${M?" at-end":""}`,ref:i,role:"log","aria-live":"off","aria-label":"Transcript",tabIndex:0,onScroll:_e,children:l(
"div",{class:"rows",children:[l("div",{style:{height:`${E.above}px`}}),m.slice(E.from,E.to).map(x=>l(to,{item:x,session:t},x.id)),l("div",{style:{height:`${E.below}\
px`}}),e]})}),M?null:l("button",{type:"button",class:"to-end",onClick:te,children:g.value>0?`${Yt(g.value,"new row")} ↓`:"To the end ↓"})]})}function to({item:t,
session:e}){return l("div",{"data-item":t.id,children:l(We,{children:l(Er,{item:t,session:e})})})}function _r(t,e,n){let r=t.querySelector(`[data-item="${CSS.escape(
e)}"]`);r?.scrollIntoView({block:r.offsetHeight>t.clientHeight?"start":"center"}),n>0?requestAnimationFrame(()=>_r(t,e,n-1)):document.activeElement?.closest("in\
put, textarea")==null&&r?.querySelector(".entry")?.focus({preventScroll:!0})}export{O as a,ce as b,Re as c,Or as d,un as e,qr as f,cs as g,ps as h,ds as i,hs as j,_t as k,Ot as l,he as m,zn as n,Nn as o,fa as p,ya as q,Bn as r,Jl as s};
