// Tacit: memory for OpenCode. Written by `tacit init`, taken away by `tacit uninstall`.
// It tells Tacit what happens, in the words of Claude Code's hooks, and never stands in the
// way: whatever goes wrong, OpenCode goes on without memory.
import { spawn } from "node:child_process"

const TACIT = ["tacit"]
const HOST = "claude"

function ask(event, told, milliseconds = 3000) {
  return new Promise((resolve) => {
    const [command, ...more] = TACIT
    const options = { cwd: told.cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true, timeout: milliseconds }
    let printed = ""
    try {
      const child = spawn(command, [...more, "hook", HOST, event], options)
      child.on("error", () => resolve(""))
      child.on("close", () => resolve(context(printed)))
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (text) => (printed += text))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ hook_event_name: event, ...told }))
    } catch {
      resolve("")
    }
  })
}

function context(printed) {
  const text = printed.trim()
  if (!text.startsWith("{")) return text
  try {
    return JSON.parse(text).hookSpecificOutput?.additionalContext ?? ""
  } catch {
    return ""
  }
}

export const Tacit = async ({ directory, worktree }) => {
  const cwd = directory ?? worktree
  const starts = new Map() // session → what it was told at its start, the same bytes each turn
  const children = new Set() // sessions of subagents: nobody speaks to them
  const calls = new Map() // call → what a tool was asked
  const replies = new Map() // message of the agent → its session
  const last = new Map() // session → the agent's last words
  const tell = (event, session, more) => ask(event, { session_id: session, cwd, ...more })
  const start = (session, source) => {
    starts.set(session, ask("SessionStart", { session_id: session, cwd, source }, 5000))
    return starts.get(session)
  }
  const end = (session) => {
    if (starts.delete(session)) return tell("SessionEnd", session, { reason: "other" })
  }
  const seen = {
    "session.created": ({ info }) => void (info?.parentID && children.add(info.id)),
    "session.idle": ({ sessionID }) => {
      const event = children.has(sessionID) ? "SubagentStop" : "Stop"
      return tell(event, sessionID, { last_assistant_message: last.get(sessionID) ?? null })
    },
    "session.compacted": async ({ sessionID }) => {
      await tell("PostCompact", sessionID, { trigger: "auto" })
      await start(sessionID, "compact")
    },
    "session.deleted": ({ info }) => end(info?.id),
    "message.updated": ({ info }) => void (info?.role === "assistant" && replies.set(info.id, info.sessionID)),
    "message.part.updated": ({ part }) =>
      void (part?.type === "text" && replies.has(part.messageID) && last.set(part.sessionID, part.text)),
  }
  return {
    event: async ({ event }) => {
      await seen[event?.type]?.(event.properties ?? {})
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID
      if (!session) return
      const text = await (starts.get(session) ?? start(session, "startup"))
      if (text) output.system.push(text)
    },
    "chat.message": async (input, output) => {
      if (children.has(input.sessionID)) return
      const parts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      if (!parts.length) return
      const prompt = parts.map((part) => part.text).join("\n")
      const text = await tell("UserPromptSubmit", input.sessionID, { prompt })
      const near = parts[parts.length - 1]
      if (text) output.parts.push({ ...near, id: near.id + "t", text, synthetic: true })
    },
    "tool.execute.before": async (input, output) => {
      calls.set(input.callID, output.args)
    },
    "tool.execute.after": async (input, output) => {
      const asked = input.args ?? calls.get(input.callID) ?? {}
      calls.delete(input.callID)
      const told = { tool_name: input.tool, tool_input: asked, tool_use_id: input.callID }
      if (!output.metadata?.exit) {
        tell("PostToolUse", input.sessionID, { ...told, tool_response: output.output })
        return
      }
      const text = await tell("PostToolUseFailure", input.sessionID, { ...told, error: output.output })
      if (text) output.output += "\n\n" + text
    },
    "experimental.session.compacting": async (input) => {
      await tell("PreCompact", input.sessionID, { trigger: "auto", custom_instructions: null })
    },
    dispose: async () => {
      await Promise.all([...starts.keys()].map(end))
    },
  }
}
