/** What `/write` uses of CodeMirror. `python -m tests.js.codemirror` makes static/vendor/codemirror of it. */

export {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  insertNewlineAndIndent,
} from "@codemirror/commands";
export { pythonLanguage } from "@codemirror/lang-python";
export { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { search, searchKeymap } from "@codemirror/search";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, GutterMarker, gutter, keymap, lineNumbers } from "@codemirror/view";
export { tags } from "@lezer/highlight";
