"""What a tool does by the name its host has for it, and where its arguments say with what.

Apart from `tools`, which cleans what it reads: a hook asks only for this and must start quickly.
"""

from __future__ import annotations

from tacit.observation import Tool

_NAMES = {
    Tool.SHELL: "bash powershell exec_command shell shell_command local_shell container.exec "
    "run_shell_command run_terminal_cmd execute_command terminal unified_exec",
    Tool.READ: "read read_file notebookread view view_image read_many_files ls list list_dir "
    "list_directory",
    Tool.EDIT: "edit multiedit apply_patch patch replace notebookedit str_replace str_replace_editor "
    "str_replace_based_edit_tool search_replace edit_file",
    Tool.WRITE: "write write_file create_file create",
    Tool.SEARCH: "grep glob grep_search search_file_content file_search codebase_search find "
    "grep_files",
    Tool.WEB: "webfetch websearch web_fetch web_search google_web_search web_search_call fetch",
    Tool.TASK: "task agent spawn_agent subtask delegate_to_agent codebase_investigator",
    Tool.PLAN: "todowrite todoread update_plan write_todos exitplanmode enterplanmode taskcreate "
    "taskupdate exit_plan_mode enter_plan_mode",
    Tool.ASK: "askuserquestion question ask_user request_user_input",
}
_TOOLS = {name: tool for tool, names in _NAMES.items() for name in names.split()}

PATHS = ("file_path", "filePath", "absolute_path", "path", "notebook_path", "dir_path", "paths")
PATTERNS = ("pattern", "query", "glob", "regex")
ADDRESSES = ("url", "query", "prompt", "urls")
TASKS = ("description", "objective", "title", "subject", "agent_name", "name")
OTHERS = (*PATHS, "command", "cmd", "url", "uri", "query", "skill", "name", "id")
COMMANDS = ("command", "cmd", "script", "input")
PATCHES = ("input", "patch", "patchText", "patch_text")
BEFORE = ("old_string", "oldString", "old_str")
AFTER = ("new_string", "newString", "new_str", "content", "file_text", "new_source", "contents")


def tool_of(name: str) -> Tool:
    """Tell what a tool does by its host's name for it."""
    return _TOOLS.get(name.lower(), Tool.OTHER)


def is_own(name: str) -> bool:
    """Tell whether a tool is one of Tacit's own: what it gives back is memory already."""
    server = name.lower().replace("-", "_")
    return server.startswith(("mcp__tacit__", "mcp__plugin_tacit_tacit__", "mcp_tacit_", "tacit_"))
