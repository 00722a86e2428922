"""Makes, prompts and reads a session of a daemon with the client that Swagger Codegen made of ../../openapi-3.0.json: run by tools/python.sh.

It exits with 0 when all is as described.
"""
import json
import os
import types
import uuid

import ringmaster_client as rm
from ringmaster_client.rest import ApiException

RUN = uuid.uuid4().hex  # keys and labels are of this run alone
URL, TOKEN, CWD = os.environ["RINGMASTER_URL"], os.environ["RINGMASTER_TOKEN"], os.environ["RINGMASTER_CWD"]


def client(token):
    # The generator leaves the bearer token out of what it makes of the description.
    configuration = rm.Configuration()
    configuration.host = URL
    return rm.ApiClient(configuration, "Authorization", "Bearer " + token)


api = client(TOKEN)
sessions, control, log = rm.SessionsApi(api), rm.ControlApi(api), rm.LogApi(api)


def decoded(text, kind):
    """Reads JSON as a type of the client."""
    return api.deserialize(types.SimpleNamespace(data=text), kind)


def problem_of(call):
    """The problem that a call ends with."""
    try:
        call()
    except ApiException as failed:
        assert failed.headers["Content-Type"] == "application/problem+json", failed.headers
        problem = decoded(failed.body, "Problem")
        assert isinstance(problem, rm.Problem) and problem.status == failed.status, problem
        return problem
    raise AssertionError("the call was not refused")


def script(*steps):
    return "```script\n" + json.dumps(steps) + "\n```"


before = sessions.list_sessions()
assert isinstance(before, rm.SessionPage), before

made = sessions.create_session({"agent": "scripted", "cwd": CWD, "title": "Pythoné", "labels": {"run": RUN}}, idempotency_key="session-" + RUN)
assert isinstance(made, rm.CreatedSession) and made.title == "Pythoné" and not made.repeated, made
again = sessions.create_session({"agent": "scripted", "cwd": CWD, "title": "Pythoné", "labels": {"run": RUN}}, idempotency_key="session-" + RUN)
assert again.id == made.id and again.repeated, again
listed = sessions.list_sessions(label=["run:" + RUN]).sessions
assert [s.id for s in listed] == [made.id], listed

prompt = {"text": script({"say": {"text": "Hello from the script."}})}
receipt = control.send_prompt(prompt, made.id, idempotency_key="prompt-" + RUN)
assert isinstance(receipt, rm.PromptAccepted) and receipt.prompt_id == "p1", receipt

waited = sessions.wait({"sessions": [made.id], "until": {"prompt": receipt.prompt_id}})
assert waited.held and waited.sessions[0].outcome.text == "Hello from the script.", waited

repeated = control.send_prompt(prompt, made.id, idempotency_key="prompt-" + RUN)
assert repeated.prompt_id == receipt.prompt_id and repeated.repeated, repeated
assert repeated.became.state == "settled" and repeated.became.outcome.outcome == "completed", repeated.became
other = problem_of(lambda: control.send_prompt({"text": "another"}, made.id, idempotency_key="prompt-" + RUN))
assert other.code == "conflict" and other.hint, other

lines = log.get_session_log(made.id, since=receipt.cursor, _preload_content=False).data.decode().splitlines()
events = [decoded(line, "".join(word.title() for word in json.loads(line)["type"].split("_")) + "Event") for line in lines]
assert [e.seq for e in events] == list(range(events[0].seq, events[0].seq + len(events))), events
said = [e.data["text"] for e in events if isinstance(e, rm.EntryEndEvent) and e.entry_type == "assistant_message"]
assert said == ["Hello from the script."], said
assert any(isinstance(e, rm.TurnEndEvent) and e.status == "completed" for e in events), events
assert any(isinstance(e, rm.PromptQueuedEvent) and e.idempotency_key == "prompt-" + RUN for e in events), events

state = log.get_session_state(made.id)
assert isinstance(state, rm.SessionState) and state.seq >= events[-1].seq and state.entries, state

assert problem_of(lambda: sessions.get_session("0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a")).code == "session_not_found"
assert problem_of(lambda: rm.SessionsApi(client("wrong" * 10)).list_sessions()).code == "unauthorized"
bad = problem_of(lambda: sessions.create_session({"agent": "scripted", "cwd": "relative"}))
assert bad.code in ("invalid_request", "cwd_not_allowed") and bad.hint, bad

ended = sessions.end_session(made.id, body={"reason": "done"}, idempotency_key="end-" + RUN)
assert ended.status.state in ("terminated", "completed"), ended.status
sessions.delete_session(made.id, idempotency_key="delete-" + RUN)
assert problem_of(lambda: sessions.get_session(made.id)).code == "session_not_found"
assert problem_of(lambda: sessions.end_session(made.id, body={"reason": "done"}, idempotency_key="end-" + RUN)).look_at == "/sessions/" + made.id
print(f"Python: a session was made, prompted, read ({len(events)} events) and removed, and 7 problems were decoded")
