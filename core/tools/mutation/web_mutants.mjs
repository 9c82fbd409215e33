// The mutants of a TypeScript module, as JSON: `node web_mutants.mjs TYPESCRIPT MODULE`. Types and texts stay as they are.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [, , modules, path] = process.argv;
const ts = createRequire(`${modules}/`)('typescript');
const text = readFileSync(path, 'utf8');
const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
const K = ts.SyntaxKind;
const SIGNS = new Map([
  [K.EqualsEqualsEqualsToken, ['!==']],
  [K.ExclamationEqualsEqualsToken, ['===']],
  [K.LessThanToken, ['<=', '>=']],
  [K.LessThanEqualsToken, ['<', '>']],
  [K.GreaterThanToken, ['>=', '<=']],
  [K.GreaterThanEqualsToken, ['>', '<']],
  [K.AmpersandAmpersandToken, ['||']],
  [K.BarBarToken, ['&&']],
  [K.QuestionQuestionToken, ['&&']],
  [K.PlusToken, ['-']],
  [K.MinusToken, ['+']],
  [K.AsteriskToken, ['/']],
  [K.PlusEqualsToken, ['-=']],
]);
const CALLS = new Map([['some', 'every'], ['every', 'some'], ['min', 'max'], ['max', 'min']]);
const found = [];

function add(operator, node, start, end, replacement) {
  let statement = node;
  while (statement.parent && !ts.isStatement(statement) && !ts.isPropertyDeclaration(statement)) statement = statement.parent;
  const scope = [];
  for (let around = node; around; around = around.parent) if (around.name && ts.isFunctionLike(around)) scope.unshift(around.name.getText(file));
  const line = file.getLineAndCharacterOfPosition(start).line + 1;
  found.push({ operator, start, end, text: replacement, line, last: line, scope: scope.join('.') || '<module>', in_function: true });
}

const cover = (node) => [node.getStart(file), node.getEnd()];
const isQuiet = (node) => /^console\./.test(node.getText(file));

function look(node) {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
  if (ts.isBinaryExpression(node)) {
    for (const sign of SIGNS.get(node.operatorToken.kind) ?? []) add('swap sign', node, ...cover(node.operatorToken), sign);
    if ([K.AmpersandAmpersandToken, K.BarBarToken].includes(node.operatorToken.kind)) {
      add('drop operand', node, ...cover(node), `(${node.left.getText(file)})`);
      add('drop operand', node, ...cover(node), `(${node.right.getText(file)})`);
    }
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
    add('drop sign', node, ...cover(node), `(${node.operand.getText(file)})`);
  } else if (ts.isIfStatement(node) && !ts.isBinaryExpression(node.expression) && !ts.isPrefixUnaryExpression(node.expression)) {
    add('negate', node, ...cover(node.expression), `!(${node.expression.getText(file)})`);
  } else if (ts.isConditionalExpression(node)) {
    add('one branch', node, ...cover(node), `(${node.whenTrue.getText(file)})`);
    add('one branch', node, ...cover(node), `(${node.whenFalse.getText(file)})`);
  } else if (ts.isExpressionStatement(node)) {
    if (isQuiet(node)) return;
    add('remove statement', node, ...cover(node), ';');
  } else if (ts.isReturnStatement(node) && node.expression) {
    add('return nothing', node, ...cover(node.expression), '(undefined as never)');
  } else if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
    if (!ts.isLiteralTypeNode(node.parent)) add('change value', node, ...cover(node), node.kind === K.TrueKeyword ? 'false' : 'true');
  } else if (ts.isNumericLiteral(node)) {
    add('change value', node, ...cover(node), String(Number(node.text) + 1));
  } else if (ts.isStringLiteral(node) && ts.isBinaryExpression(node.parent)) {
    add('change word', node, ...cover(node), `${node.getText(file).slice(0, -1)}_'`);
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    if (isQuiet(node)) return;
    const name = node.expression.name;
    if (CALLS.has(name.text)) add('swap call', node, ...cover(name), CALLS.get(name.text));
    if (name.text === 'filter' && node.arguments.length === 1) add('drop filter', node, ...cover(node.arguments[0]), '() => true');
  } else if (ts.isSpreadAssignment(node)) {
    add('drop spread', node, ...cover(node), '...{}');
  }
  ts.forEachChild(node, look);
}

look(file);
console.log(JSON.stringify(found));
