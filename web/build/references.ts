/** A node of an ESTree syntax tree, TypeScript's nodes included. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** The nodes directly in a node. */
export function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

/** The names that a pattern declares, such as a parameter or the left side of a declaration. */
export function namesOfPattern(node: SyntaxNode | null | undefined): readonly string[] {
  if (!node) return [];
  switch (node.type) {
    case 'Identifier':
      return [node.name as string];
    case 'AssignmentPattern':
      return namesOfPattern(node.left as SyntaxNode);
    case 'RestElement':
      return namesOfPattern(node.argument as SyntaxNode);
    case 'ArrayPattern':
      return (node.elements as (SyntaxNode | null)[]).flatMap(namesOfPattern);
    case 'ObjectPattern':
      return (node.properties as SyntaxNode[]).flatMap((part) =>
        namesOfPattern((part.value as SyntaxNode | undefined) ?? part),
      );
    default:
      return [];
  }
}

/** The names that the statements directly in a block declare. */
function namesOfBlock(statements: readonly SyntaxNode[]): readonly string[] {
  return statements.flatMap((statement) =>
    statement.type === 'VariableDeclaration'
      ? (statement.declarations as SyntaxNode[]).flatMap(({ id }) =>
          namesOfPattern(id as SyntaxNode),
        )
      : namesOfPattern(
          /^(Function|Class)Declaration$/.test(statement.type)
            ? (statement.id as SyntaxNode | null)
            : null,
        ),
  );
}

/** The names that a node declares for what is inside it. */
function namesOfScope(node: SyntaxNode): readonly string[] {
  if (/Function/.test(node.type))
    return [
      ...namesOfPattern(node.id as SyntaxNode | null),
      ...(node.params as SyntaxNode[]).flatMap(namesOfPattern),
    ];
  if (node.type === 'BlockStatement') return namesOfBlock(node.body as SyntaxNode[]);
  if (node.type.startsWith('For'))
    return namesOfBlock([node.init, node.left].filter((part) => isNode(part)));
  if (node.type === 'CatchClause') return namesOfPattern(node.param as SyntaxNode | null);
  if (node.type === 'SwitchStatement')
    return namesOfBlock(
      (node.cases as { consequent: SyntaxNode[] }[]).flatMap((one) => one.consequent),
    );
  return [];
}

// Names that stand for themselves: `.name` after an object, `name:` in front of a value.
function isLabel(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (parent.computed === true) return false;
  return (
    (parent.type === 'MemberExpression' && parent.property === child) ||
    (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) &&
      parent.key === child &&
      parent.shorthand !== true)
  );
}

/** Types do not exist at run time; only the expression inside them does. */
function valuesOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (!node.type.startsWith('TS')) return partsOf(node).filter((child) => !isLabel(node, child));
  return isNode(node.expression) ? [node.expression] : [];
}

/** The names outside of a node that its code uses as values. */
export function collectReferences(
  node: SyntaxNode,
  declared: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  if (node.type === 'Identifier')
    return new Set(declared.has(node.name as string) ? [] : [node.name as string]);
  const scope = new Set([...declared, ...namesOfScope(node)]);
  return new Set(valuesOf(node).flatMap((child) => [...collectReferences(child, scope)]));
}
