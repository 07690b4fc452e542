// Finds texts that a page translator breaks. A translator of the browser puts each text into elements
// of its own, so that the text node that React knows is no longer in the page: React then changes a
// node that nobody sees, and removing it, or inserting before it, throws. A text that is the only
// child of an element is safe, because React replaces the whole content. So each text that changes
// and has a sibling is in its own element.
//
// The types say what is a text. Out of sight: what has the type `ReactNode`, and components that
// render nothing for a while; `web/src/lib/page/moved-nodes.ts` covers these.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, TypeFlags } from 'typescript/unstable/sync';
import { root } from '../../scripts/install.mjs';

const textFlags =
  TypeFlags.String |
  TypeFlags.Number |
  TypeFlags.StringLiteral |
  TypeFlags.NumberLiteral |
  TypeFlags.TemplateLiteral |
  TypeFlags.StringMapping;

const isChild = (node) =>
  node.kind === SyntaxKind.JsxText
    ? node.text.trim() !== ''
    : node.kind !== SyntaxKind.JsxExpression || node.expression !== undefined;

/** `t('key')` and literals: they change with the language only, for which the page is read again. */
function isFixed(expression) {
  if (
    expression.kind === SyntaxKind.StringLiteral ||
    expression.kind === SyntaxKind.NoSubstitutionTemplateLiteral
  )
    return true;
  return (
    expression.kind === SyntaxKind.CallExpression &&
    expression.expression.kind === SyntaxKind.Identifier &&
    expression.expression.text === 't' &&
    isFixed(expression.arguments[0]) &&
    (expression.arguments.length === 1 ||
      /^\{ ns: '\w+' \}$/.test(expression.arguments[1].getText()))
  );
}

const isTest = (path) => /\.test\.tsx$|\/gallery\/|\/testing\/|\/web\/src\/server\//.test(path);

/** The places of a project of TypeScript: `{ path, line, start, end, text, why }`. */
export function findLooseTexts(project) {
  const { checker, program } = project;
  const membersOf = (type) =>
    type === undefined
      ? []
      : type.flags & TypeFlags.Union
        ? type.getTypes().flatMap(membersOf)
        : [type];
  /** `ReactNode` is any content: the component that gives it decides. Only this type has big numbers. */
  const isText = (node) => {
    const members = membersOf(checker.getTypeAtLocation(node));
    return (
      members.some(({ flags }) => flags & textFlags) &&
      !members.some(({ flags }) => flags & (TypeFlags.BigInt | TypeFlags.Any))
    );
  };
  /** Whether a component gives a text without an element. */
  const givesText = (tag) => {
    const type = checker.getTypeAtLocation(tag);
    if (type === undefined) return false;
    return checker.getSignaturesOfType(type, 0).some((signature) => {
      const given = checker.getReturnTypeOfSignature(signature);
      if (given && /\bstring\b.*\[\]$/.test(checker.typeToString(given))) return true;
      const members = membersOf(given);
      if (members.some(({ flags }) => flags & TypeFlags.BigInt)) return false;
      return members.some(({ flags }) => flags & textFlags);
    });
  };
  const found = [];
  for (const path of program.getSourceFileNames()) {
    if (!path.endsWith('.tsx') || path.includes('/node_modules/') || isTest(path)) continue;
    const source = program.getSourceFile(path);
    const report = (node, why) => {
      const start = node.getStart(source);
      const text = source.text.slice(start, node.end);
      const line = source.text.slice(0, start).split('\n').length;
      found.push({ path, line, start, end: node.end, text, why });
    };
    const visitChildren = (children, isFragment) => {
      let mayMove = false;
      for (const child of children) {
        const expression = child.expression;
        const hasSibling = isFragment || children.length > 1;
        if (child.kind === SyntaxKind.JsxText) {
          if (mayMove) report(child, 'after what comes and goes');
        } else if (child.kind === SyntaxKind.JsxExpression && isFixed(expression)) {
          if (mayMove && expression.text?.trim() !== '') report(child, 'after what comes and goes');
        } else if (child.kind === SyntaxKind.JsxExpression) {
          if (hasSibling && isText(expression)) report(child, 'changes beside another child');
          mayMove = true;
        }
      }
    };
    const visit = (node) => {
      if (node.kind === SyntaxKind.JsxElement || node.kind === SyntaxKind.JsxFragment)
        visitChildren([...node.children].filter(isChild), node.kind === SyntaxKind.JsxFragment);
      const tag = node.kind === SyntaxKind.JsxSelfClosingElement ? node.tagName : undefined;
      if (tag && /^[A-Z]/.test(tag.getText(source)) && givesText(tag))
        report(node, 'gives a text without an element');
      node.forEachChild(visit);
    };
    visit(source);
  }
  return found;
}

/** Opens a project of TypeScript, finds its places and closes it. */
export function findProblemsOf(config) {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    return findLooseTexts(project);
  } finally {
    api.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = findProblemsOf(join(root, 'web/tsconfig.json'));
  for (const { path, line, text, why } of problems)
    console.error(
      `${relative(root, path)}:${line}: ${text.replace(/\s+/g, ' ').slice(0, 80)} ${why}; ` +
        'put it into its own element',
    );
  process.exit(problems.length === 0 ? 0 : 1);
}
