import ts from 'typescript'
import { walk, type Source } from './sources.js'

/*
 * Finds the tables that a file names and those that it changes: in calls of the query builder, the
 * scope and models, and in SQL texts.
 */

export interface TableUse {
  table: string
  isChange: boolean
  /** `app/apps/parameters.ts:8`. */
  place: string
}

const NAMING = new Set(['table', 'from', 'join', 'innerJoin', 'leftJoin', 'rightJoin'])
const CHANGING = new Set([
  'update',
  'insert',
  'multiInsert',
  'updateOrInsert',
  'delete',
  'del',
  'increment',
  'decrement',
])
/** Methods that change the row of a model. */
const CHANGING_A_ROW = new Set(['save', 'delete'])
/** A method of the scope that names a table and changes it in one call. */
const CHANGING_BY_NAME = 'insertStored'
/** Functions that take a table and a client: `from(client, 'apps')`. */
const BY_CLIENT = new Set(['from', 'into'])
const STATEMENT = /^\s*(select|from|insert|update|delete|with|and|or|where|exists|join|left)\b/i
const NAMED_IN_SQL = /\b(from|join|update|into|delete from)\s+"?(\w+)/gi

/** Returns the tables that files describe: their names, with the path of the file. */
export function describedTables(sources: readonly Source[]): Map<string, string> {
  const tables = new Map<string, string>()
  for (const { path, constant, name } of descriptions(sources)) {
    if (constant) tables.set(name, path)
  }
  return tables
}

function descriptions(sources: readonly Source[]) {
  const found: { path: string; constant: string; name: string }[] = []
  for (const { path, file } of sources) {
    walk(file, (node) => {
      if (!ts.isVariableDeclaration(node) || !node.initializer) return
      const call = node.initializer
      if (!ts.isCallExpression(call) || call.expression.getText() !== 'table') return
      const [name] = call.arguments
      if (ts.isStringLiteral(name)) {
        found.push({ path, constant: node.name.getText(), name: name.text })
      }
    })
  }
  return found
}

/**
 * Returns the table of each description and model that can be imported, by path and exported name.
 */
function tableConstants(sources: readonly Source[]): Map<string, string> {
  const constants = new Map<string, string>()
  const all = descriptions(sources)
  for (const { path, constant, name } of all) constants.set(`${path} ${constant}`, name)
  for (const { path, text, imports } of sources) {
    const model = /export default class \w+ extends (?:modelOf|tenantModelOf)\((\w+)/.exec(text)
    if (!model) continue
    for (const { target, names } of imports) {
      const name = constants.get(`${target} ${names.get(model[1])}`)
      if (name) constants.set(`${path} default`, name)
    }
  }
  return constants
}

/** Returns the table of each function that returns a model, by path and name of the function. */
function answeredModels(
  sources: readonly Source[],
  constants: ReadonlyMap<string, string>
): Map<string, string> {
  const answered = new Map<string, string>()
  for (const source of sources) {
    const imported = importedTables(source, constants)
    if (imported.size === 0) continue
    for (const each of source.file.statements) {
      if (!ts.isFunctionDeclaration(each) || !each.name) continue
      const table = modelOfType(each.type, imported)
      if (table) answered.set(`${source.path} ${each.name.text}`, table)
    }
  }
  return answered
}

/** Returns the table of each name that a file imports. */
const importedTables = ({ imports }: Source, constants: ReadonlyMap<string, string>) =>
  new Map(
    imports.flatMap(({ target, names }) =>
      [...names].flatMap(([here, there]) => {
        const table = constants.get(`${target} ${there}`)
        return table ? [[here, table] as const] : []
      })
    )
  )

/**
 * Returns the table of the model in a type: the type itself, a member of a union, or a promise's
 * result.
 */
function modelOfType(
  type: ts.TypeNode | undefined,
  imported: ReadonlyMap<string, string>
): string | undefined {
  if (!type) return undefined
  if (ts.isUnionTypeNode(type)) {
    return type.types.map((each) => modelOfType(each, imported)).find((table) => table)
  }
  if (!ts.isTypeReferenceNode(type)) return undefined
  const name = type.typeName.getText()
  return name === 'Promise' ? modelOfType(type.typeArguments?.[0], imported) : imported.get(name)
}

/** Returns the table of each variable, parameter and property that holds a model, by its name. */
function heldModels(
  file: ts.SourceFile,
  imported: ReadonlyMap<string, string>,
  answering: ReadonlyMap<string, string>
): Map<string, string> {
  const held = new Map<string, string>()
  walk(file, (node) => {
    if (
      !ts.isVariableDeclaration(node) &&
      !ts.isParameter(node) &&
      !ts.isPropertyDeclaration(node)
    ) {
      return
    }
    const table =
      modelOfType(node.type, imported) ?? modelOfValue(node.initializer, imported, answering)
    if (table) held.set(node.name.getText(), table)
  })
  return held
}

/**
 * Returns the table of the model that a call returns, known from the chain of calls or from its
 * function.
 */
function modelOfValue(
  value: ts.Expression | undefined,
  imported: ReadonlyMap<string, string>,
  answering: ReadonlyMap<string, string>
): string | undefined {
  let inner = value
  while (
    inner &&
    (ts.isAwaitExpression(inner) ||
      ts.isParenthesizedExpression(inner) ||
      ts.isNonNullExpression(inner))
  ) {
    inner = inner.expression
  }
  if (!inner || !ts.isCallExpression(inner)) return undefined
  if (ts.isIdentifier(inner.expression)) return answering.get(inner.expression.text)
  const names = callsOf(inner).flatMap(({ arguments: [first] }) => (first ? [first.getText()] : []))
  return [rootOf(inner), ...names].map((name) => imported.get(name)).find((table) => table)
}

/** Returns the calls of a chain, from the last to the first. */
function callsOf(chain: ts.Expression): ts.CallExpression[] {
  if (ts.isCallExpression(chain)) return [chain, ...callsOf(chain.expression)]
  return ts.isPropertyAccessExpression(chain) ? callsOf(chain.expression) : []
}

/**
 * Returns the root of a chain of calls: `row` in `row.merge({}).save()`, also in `this.row.save()`.
 */
function rootOf(chain: ts.Expression): string {
  if (ts.isCallExpression(chain) || ts.isNonNullExpression(chain)) return rootOf(chain.expression)
  if (!ts.isPropertyAccessExpression(chain)) return chain.getText()
  const isOwn = chain.expression.kind === ts.SyntaxKind.ThisKeyword
  return isOwn ? chain.name.text : rootOf(chain.expression)
}

/** Returns every place where a file names a table. */
export function tableUses(sources: readonly Source[]): TableUse[] {
  const tables = describedTables(sources)
  const constants = tableConstants(sources)
  const answered = answeredModels(sources, constants)
  return sources.flatMap((source) => usesOf(source, tables, constants, answered))
}

function usesOf(
  source: Source,
  tables: ReadonlyMap<string, string>,
  constants: ReadonlyMap<string, string>,
  answered: ReadonlyMap<string, string>
): TableUse[] {
  const { path, file } = source
  const uses: TableUse[] = []
  const add = (node: ts.Node, table: string | undefined, isChange: boolean) => {
    if (table === undefined || !tables.has(table)) return
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    uses.push({ table, isChange, place: `${path}:${line + 1}` })
  }
  const imported = importedTables(source, constants)
  const answering = importedTables(source, answered)
  const held = heldModels(file, imported, answering)
  walk(file, (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const sql = node.getText().slice(1, -1)
      if (!STATEMENT.test(sql)) return
      for (const [, verb, table] of sql.matchAll(NAMED_IN_SQL)) {
        const isChange =
          /^(update|into)$/i.test(verb) || /\bdelete from\s+$/.test(before(sql, table))
        add(node, table, isChange)
      }
    } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [first, second] = node.arguments
      if (BY_CLIENT.has(node.expression.text) && second && ts.isStringLiteral(second)) {
        const changes = chainedOn(node, file).some((method) => CHANGING.has(method))
        add(node, second.text.split(' ')[0], changes)
      } else if (first && ts.isIdentifier(first)) add(node, imported.get(first.text), false)
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const called = node.expression.name.text
      const [first] = node.arguments
      const methods = chainedOn(node, file)
      const changes = methods.some((method) => CHANGING.has(method))
      const isByName = called === CHANGING_BY_NAME
      if (CHANGING_A_ROW.has(called)) {
        const root = rootOf(node)
        add(node, held.get(root) ?? answering.get(root), true)
      }
      if ((NAMING.has(called) || isByName) && first && ts.isStringLiteral(first)) {
        add(node, first.text.split(' ')[0], changes || isByName)
      } else if (first && ts.isIdentifier(first) && imported.has(first.text)) {
        const isChange = CHANGING.has(called) || called === 'create' || changes
        add(node, imported.get(first.text), isChange)
      } else if (ts.isIdentifier(node.expression.expression)) {
        const model = imported.get(node.expression.expression.text)
        add(node, model, changes || CHANGING.has(called) || called === 'create')
      }
    }
  })
  return uses
}

/**
 * Places that name a table for a client without a check by types: `client.from('apps')`. The types
 * of a scope check its names; `Buffer.from` and methods of `this` name no table.
 */
export function uncheckedNames(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, file }) => {
    const places: string[] = []
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      const { name, expression } = node.expression
      const receiver = expression.getText().replace(/\s+/g, '')
      const isClient =
        (name.text === 'from' && !/^([A-Z]\w*|this)$/.test(receiver)) ||
        (name.text === 'table' && !/(^|\.)scope$/.test(receiver))
      if (!isClient) return
      const { line } = file.getLineAndCharacterOfPosition(name.getStart())
      places.push(`${path}:${line + 1}`)
    })
    return places
  })
}

const before = (sql: string, table: string) => sql.slice(0, sql.indexOf(table))

/**
 * Returns the methods called on the result of a call, directly or through a variable that holds it.
 */
function chainedOn(call: ts.Expression, file: ts.SourceFile): string[] {
  const methods: string[] = []
  let top: ts.Expression = call
  while (
    ts.isPropertyAccessExpression(top.parent) &&
    top.parent.expression === top &&
    ts.isCallExpression(top.parent.parent)
  ) {
    methods.push(top.parent.name.text)
    top = top.parent.parent
  }
  const kept = top.parent
  if (ts.isVariableDeclaration(kept) && ts.isIdentifier(kept.name)) {
    const name = kept.name.text
    walk(file, (node) => {
      const isUse = ts.isIdentifier(node) && node.text === name && node.parent !== kept
      if (isUse && ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node) {
        methods.push(...chainedOn(node, file))
      }
    })
  }
  return methods
}
