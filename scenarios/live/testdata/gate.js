// Asks the client before bash runs or a tool of an MCP server, in folders that have a file .ask; before all tools where there is a file .askall. The title carries the tool call's id, so that the client can tie
// the request to its entry.
import { existsSync } from "node:fs";
export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    if ((event.toolName !== "bash" && !event.toolName.startsWith("mcp__") && !existsSync(".askall")) || !existsSync(".ask")) return undefined;
    const ok = await ctx.ui.confirm(
      "approve:" + event.toolCallId,
      JSON.stringify({ toolCallId: event.toolCallId, toolName: event.toolName, input: event.input }),
    );
    return ok ? undefined : { block: true, reason: "The user did not allow this call." };
  });
}
