// The built daemon for the scripts beside this one: started, killed and started anew on the same port, with its agents found in the
// process table.
import { spawn } from "node:child_process";
import fs from "node:fs";

export const pause = (ms) => new Promise((over) => setTimeout(over, ms));

// until looks again and again until there is something, for 20 s at most.
export async function until(what, look) {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(20)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

export class Daemon {
  constructor(program, work) {
    this.program = program;
    this.data = `${work}/data`;
    this.root = `${work}/root`;
    this.port = 0;
    fs.mkdirSync(this.root, { recursive: true });
  }

  async start() {
    fs.rmSync(`${this.data}/address`, { force: true });
    this.process = spawn(this.program, [
      "serve", "--data", this.data, "--root", this.root, "--listen", `127.0.0.1:${this.port}`, "--log-level", "warn",
    ], { stdio: "ignore" });
    this.gone = new Promise((over) => this.process.on("exit", over));
    this.url = await until("the daemon's address", () => {
      try {
        return JSON.parse(fs.readFileSync(`${this.data}/address`, "utf8")).http;
      } catch {
        return undefined;
      }
    });
    this.port = new URL(this.url).port;
    this.token = fs.readFileSync(`${this.data}/token`, "utf8").trim();
  }

  async end(signal = "SIGTERM") {
    this.process.kill(signal);
    await this.gone;
  }

  // agents gives the ids of the processes that carry the marker of a session.
  agents(session) {
    return fs.readdirSync("/proc").filter((id) => {
      try {
        const marker = fs.readFileSync(`/proc/${id}/environ`, "utf8").split("\0").find((v) => v.startsWith("RINGMASTER_MARKER="));
        return marker?.includes(`/${session}/`);
      } catch {
        return false; // not a process, or one that has ended
      }
    }).map(Number);
  }
}

// message is a prompt that the scripted agent plays.
export const message = (...steps) => "```script\n" + JSON.stringify(steps) + "\n```";
