import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../../client/ts/src/index.ts';
import type { Daemon } from '../../../client/ts/test/support/daemon.ts';
import type { Part } from './actor.ts';

const long = 'Investigate why the nightly integration tests on the arm64 runners time out whenever the registry mirror is cold, and write down what was ruled out and how';
const path = 'services/identity-provider/internal/authentication/sessions/refresh_token_rotation_with_grace_period_test.go';
const wide = `	return fmt.Errorf("rotation of the refresh token of session %s for client %s in tenant %s failed after %d attempts: %w", session.ID, client.ID, tenant.ID, attempts, err)`;
const before = Array.from({ length: 36 }, (_, i) => `	case ${i}:\n		return oldName${i}(ctx, session, client)`).join('\n');
const after = Array.from({ length: 40 }, (_, i) => (i === 7 ? wide : `	case ${i}:\n		return newNameThatIsLonger${i}(ctx, session, client, options...)`)).join('\n');
const command = `set -euo pipefail
for runner in $(gh api "repos/example/infrastructure/actions/runners?per_page=100" --jq '.runners[] | select(.labels[].name == "arm64") | .name'); do
  echo "== $runner"
  ssh -o ConnectTimeout=5 -o StrictHostKeyChecking=accept-new "ci@$runner.internal.example.org" -- 'sudo journalctl -u containerd --since "24 hours ago" --no-pager | grep -E "pull|timeout|mirror" | tail -n 50'
done
curl --fail --silent --show-error --retry 5 --retry-all-errors --max-time 30 -H "Accept: application/vnd.oci.image.index.v1+json" https://registry-mirror.internal.example.org/v2/library/golang/manifests/1.26-bookworm`;
const words = 'The mirror answers the first request for an image only after it has the whole of it, and the runner gives up after thirty seconds. ';
const report = `## What I found\n\n${words.repeat(3)}\n\n- **Cold**: 41 s to the first byte, \`context deadline exceeded\`\n- **Warm**: 0.2 s\n\n### The way there\n\n1. The mirror has a look at \`${path}\`, which is a name that does not break anywhere.\n2. https://registry-mirror.internal.example.org/v2/library/golang/manifests/sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n\n| runner | cold | warm | what stands in its journal |\n|---|---:|---:|---|\n| arm64-a | 41.2 s | 0.2 s | \`failed to pull and unpack image: context deadline exceeded\` |\n| arm64-b | 39.8 s | 0.2 s | \`failed to pull and unpack image: context deadline exceeded\` |\n\n- [x] measured\n- [ ] mended\n\n> ${words}`;

/** What the agents of the crowd say and ask, by the beginning of the prompt. */
export const parts: readonly Part[] = [
  { match: '^Investigate', steps: [{ think: { text: words.repeat(4) } }, { say: { text: report } }, { usage: { input: 48210, cacheRead: 120400, output: 2210, reasoning: 640 } }, { tool: { name: 'bash', args: { command }, exit: 255, output: [`ssh: Could not resolve hostname arm64-a.internal.example.org: Name or service not known\n${'x'.repeat(400)}\n`] } }, { say: { text: words } }] },
  { match: '^Rotate', steps: [{ say: { text: words } }, { usage: { input: 9210, output: 410 } }, { tool: { name: 'edit', approve: true, args: { path, edits: [{ oldText: before, newText: after }] } } }] },
  { match: '^Look at the runners', steps: [{ say: { text: 'I would like to look at all of them.' } }, { tool: { name: 'bash', approve: true, args: { command } } }] },
  { match: '^Which', steps: [{ ask: { method: 'select', title: `Which of these should the mirror do when an image is not there yet, given that ${words}`, options: ['Answer at once, and pass on what comes', `Answer once all of it is there, as now: ${words}`, 'Refuse, and fetch it for the next one', 'Something else'] } }] },
  { match: '^أصلح', steps: [{ say: { text: 'فشل الاختبار `TestParseEmpty` لأن الدالة تعيد **nil**.\n\n1. أولاً الاختبار\n2. ثم الملف `parser/parser.go`\n\n> انتهى' } }, { tool: { name: 'bash', args: { command: 'go test ./parser/...' }, output: ['ok  \tparser\t0.004s\n'] } }] },
  { match: '^更新', steps: [{ say: { text: `${'更新文档并修复构建脚本中的路径错误。'.repeat(12)}\n\n\`\`\`sh\nmake -C 文档 全部\n\`\`\`` } }] },
  { match: '^Publish', steps: [{ say: { text: 'I begin.' } }, { fail: { error: `the provider says: 429 Too Many Requests: ${words.repeat(2)}(request id req_011CSHoEeqs5C35K2UUqR7Fy)` } }] },
  { match: '^Watch', steps: [{ say: { text: 'I watch it.' } }, { tool: { name: 'bash', args: { command: 'tail -f /var/log/registry-mirror/access.log' }, output: ['GET /v2/ 200\n'] } }, { stall: {} }] },
  { match: '^Turn', steps: [{ usage: { input: 1200, cacheRead: 8000, output: 300 } }, { tool: { name: 'edit', args: { path: 'mirror/serve.go', edits: [{ oldText: 'wait(all)', newText: 'pass(each)' }] }, output: ['Replaced 1 block.'] } }, { say: { text: 'Done with that one.' } }] },
];

/** Makes sessions with more of everything than is comfortable: long names and texts, two writing systems, many of them. It returns their ids by a short name. */
export async function crowd(daemon: Daemon): Promise<Record<string, string>> {
  const client = new Client({ base: daemon.base, token: daemon.token, name: 'nightly-integration-tests-of-the-infrastructure-team' });
  const ids: Record<string, string> = {};
  const folder = (name: string): string => {
    const cwd = join(daemon.root, name);
    mkdirSync(cwd, { recursive: true });
    return cwd;
  };
  const make = async (name: string, title: string | undefined, cwd: string, ...prompts: string[]): Promise<void> => {
    const { id } = await client.create({ agent: 'pi', cwd: folder(cwd), ...(title === undefined ? {} : { title }) });
    ids[name] = id;
    for (const text of prompts) {
      await client.prompt(id, { text });
    }
  };
  for (let i = 1; i <= 16; i++) {
    await make(`idle ${i}`, ['Tidy the docs', 'Bump the dependencies', 'Explain the cache', 'Read the profile'][i % 4] + ` ${i}`, 'shop');
    if (i % 3 === 0) {
      await client.session(ids[`idle ${i}`]!).end();
    }
  }
  await make('long', undefined, 'a-folder-with-a-name-that-is-longer-than-the-list-is-wide', `${long}.\n\n${words.repeat(12)}`);
  await make('failed', 'Publish the packages to all three registries', 'shop', 'Publish it.');
  await make('arabic', 'أصلح اختبار المحلل ثم اشرح ما تغيّر', 'محلل', 'أصلح اختبار المحلل ثم اشرح ما تغيّر من فضلك، ولا تلمس بقية الملفات.');
  await make('chinese', '更新文档并修复构建脚本中的路径错误，然后检查所有链接是否仍然有效', '文档', '更新文档并修复构建脚本中的路径错误。');
  await make('turns', 'Serve while it comes', 'mirror', ...Array.from({ length: 9 }, (_, i) => `Turn ${i + 1} of the mirror's code to passing on what comes.`));
  await client.wait({ sessions: ['long', 'failed', 'arabic', 'chinese', 'turns'].map((n) => ids[n]!), until: { rest: true } as never });
  await make('works', 'Watch the mirror', 'mirror', 'Watch the log of the mirror.');
  await make('edits', 'Rotate refresh tokens with a grace period', 'identity-provider', 'Rotate refresh tokens.');
  await make('runs', long, 'infrastructure', 'Look at the runners.');
  await make('chooses', 'Choose', 'mirror', 'Which?');
  await client.wait({ sessions: ['edits', 'runs', 'chooses'].map((n) => ids[n]!), until: { rest: true } as never });
  for (const text of ['Then count what was refused.', `${words.repeat(3)}`, 'أخبرني عندما تنتهي', 'And at last write it down.']) {
    await client.prompt(ids['works']!, { text });
  }
  return ids;
}
