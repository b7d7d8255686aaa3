/** The sheet on which a class is written: CodeMirror, with the lines that a step executes and the wrong one marked. */

import { sign } from "../gutter.js";

const {
  Decoration,
  EditorState,
  EditorView,
  GutterMarker,
  HighlightStyle,
  StateEffect,
  StateField,
  bracketMatching,
  defaultKeymap,
  gutter,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  indentOnInput,
  indentUnit,
  insertNewlineAndIndent,
  keymap,
  lineNumbers,
  pythonLanguage,
  search,
  searchKeymap,
  syntaxHighlighting,
  tags,
} = window.codemirror;

/** @typedef {{lit: number[], wrong: number}} Marks lines from 1; 0 where none is wrong */

/** @type {Marks} */
const NONE = { lit: [], wrong: 0 };
const INDENT = "    ";

/** Weight and slant instead of colours, which mean something else here. */
const WEIGHTS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], fontWeight: "700" },
  { tag: [tags.comment, tags.docString], color: "var(--mute)", fontStyle: "italic" },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: "var(--mute)" },
  { tag: tags.self, color: "var(--mute)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "0.875rem", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.3125rem" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--mute)", borderInlineEnd: "1px solid var(--line)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "28px", padding: "0 8px 0 0" },
  ".cm-signs": { width: "22px" },
  ".cm-signs svg": { display: "block", width: "16px", height: "21px", margin: "0 3px", color: "var(--vermillion)" },
  ".cm-signs .editor-sign-cut": { fill: "none", stroke: "var(--paper)", strokeWidth: "1.6" },
  ".cm-lit": {
    backgroundColor: "color-mix(in srgb, var(--amber) 30%, transparent)",
    boxShadow: "inset 4px 0 var(--amber)",
  },
  ".cm-wrong": {
    backgroundColor: "color-mix(in srgb, var(--vermillion) 14%, transparent)",
    boxShadow: "inset 0 -2px var(--vermillion)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--line)", outline: "1px solid var(--edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", textDecoration: "underline wavy" },
  ".cm-searchMatch": { backgroundColor: "transparent", outline: "1px solid var(--edge)" },
  ".cm-searchMatch-selected, .cm-searchMatch-selected span": { backgroundColor: "var(--ink)", color: "var(--paper)" },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--ink)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 32px 6px 8px", fontFamily: "var(--sans)" },
  ".cm-panel.cm-search label": { fontSize: "0.8125rem" },
  ".cm-panel.cm-search [name=close]": { inset: "0 0 auto auto", width: "32px", height: "32px", fontSize: "1.25rem" },
  ".cm-panel .cm-textfield, .cm-panel .cm-button": {
    minHeight: "32px",
    padding: "2px 8px",
    border: "1px solid var(--edge)",
    borderRadius: "6px",
    background: "var(--paper)",
    color: "var(--ink)",
    fontSize: "0.875rem",
  },
});

/** What CodeMirror says, and the words of the page for it. */
const PHRASES = {
  Find: "write.find.find",
  Replace: "write.find.replacement",
  next: "write.find.next",
  previous: "write.find.previous",
  all: "write.find.all",
  "match case": "write.find.case",
  regexp: "write.find.pattern",
  "by word": "write.find.word",
  replace: "write.find.replace",
  "replace all": "write.find.replace-all",
  close: "write.find.close",
  "current match": "write.find.current",
  "replaced match on line $": "write.find.replaced",
  "replaced $ matches": "write.find.replaced-all",
  "on line": "write.find.on-line",
  "Go to line": "write.find.line",
  go: "write.find.go",
  "Selection deleted": "write.find.deleted",
};

/** @type {ReturnType<typeof StateEffect.define<Marks>>} */
const mark = StateEffect.define();

/** The marks belong to a text: whatever changes it takes them away. */
const marks = StateField.define({
  create: () => NONE,
  update(before, transaction) {
    const set = transaction.effects.find((effect) => effect.is(mark));
    if (set) return set.value;
    return transaction.docChanged ? NONE : before;
  },
  provide: (field) =>
    EditorView.decorations.from(field, ({ lit, wrong }) => (view) => {
      const lines = [...new Set(lit)].sort((a, b) => a - b).map((line) => ({ line, name: "cm-lit" }));
      if (wrong) lines.push({ line: wrong, name: "cm-wrong" });
      const there = lines.filter(({ line }) => line <= view.state.doc.lines);
      const at = ({ line = 1, name = "" }) => Decoration.line({ class: name }).range(view.state.doc.line(line).from);
      return Decoration.set(there.map(at), true);
    }),
});

class Sign extends GutterMarker {
  toDOM() {
    return sign();
  }
}

/**
 * @param {HTMLElement} host becomes the sheet
 * @param {string} text
 * @param {{label: string, words: Record<string, string>, changed: () => void, go: () => void}} how
 */
export function sheet(host, text, { label, words, changed, go }) {
  // Styles that a script makes are allowed only where they are adopted, and CodeMirror adopts them in a shadow tree.
  const root = host.attachShadow({ mode: "open" });
  const indent = keymap.of([
    { key: "Mod-Enter", run: () => (go(), true) },
    { key: "Tab", run: (view) => (view.state.selection.main.empty ? spaces(view) : indentMore(view)) },
    { key: "Shift-Tab", run: indentLess },
    { key: "Enter", run: insertNewlineAndIndent },
  ]);
  const extensions = [
    indent,
    lineNumbers(),
    gutter({
      class: "cm-signs",
      lineMarker: (view, line) => (lineOf(view, line.from) === view.state.field(marks).wrong ? new Sign() : null),
      lineMarkerChange: (update) => update.startState.field(marks) !== update.state.field(marks),
    }),
    marks,
    history(),
    pythonLanguage,
    syntaxHighlighting(WEIGHTS),
    indentUnit.of(INDENT),
    EditorState.tabSize.of(4),
    indentOnInput(),
    bracketMatching(),
    search(),
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorState.phrases.of(Object.fromEntries(Object.entries(PHRASES).map(([said, key]) => [said, words[key]]))),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", translate: "no", dir: "ltr" }),
    EditorView.updateListener.of((update) => update.docChanged && changed()),
    LOOK,
  ];
  const view = new EditorView({ doc: text, extensions, parent: root, root });

  return {
    get text() {
      return view.state.doc.toString();
    },
    /** A whole new text; the change can be undone. @param {string} text */
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    focus: () => view.focus(),
    /** Mark lines; the first of them comes into view. @param {Partial<Marks>} [lines] */
    mark({ lit = [], wrong = 0 } = {}) {
      const first = Math.min(wrong || (lit[0] ?? 0), view.state.doc.lines);
      const seen = first ? [EditorView.scrollIntoView(view.state.doc.line(first).from, { yMargin: 42 })] : [];
      view.dispatch({ effects: [mark.of({ lit, wrong }), ...seen] });
    },
  };
}

/** @param {import("../types.js").EditorView} view @param {number} place */
const lineOf = (view, place) => view.state.doc.lineAt(place).number;

/** Spaces up to the next place of an indentation. @param {import("../types.js").EditorView} view */
function spaces(view) {
  const { head } = view.state.selection.main;
  const missing = INDENT.length - ((head - view.state.doc.lineAt(head).from) % INDENT.length);
  view.dispatch(view.state.replaceSelection(INDENT.slice(0, missing)));
  return true;
}
