import ts from 'typescript'
import { walk, type Source } from './sources.js'

/*
 * Which tables a file names, and which of them it changes: in calls of the query builder, of
 * the scope and of models, and in statements written out.
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
/** Names a table and changes it, in one call (`Scope.insertStored`). */
const CHANGING_BY_NAME = 'insertStored'
/** What names a table to a client: `from(client, 'apps')`. */
const BY_CLIENT = new Set(['from', 'into'])
const STATEMENT = /^\s*(select|from|insert|update|delete|with|and|or|where|exists|join|left)\b/i
const NAMED_IN_SQL = /\b(from|join|update|into|delete from)\s+"?(\w+)/gi

/** The tables that files describe, by name, each with the path of its file. */
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

/** What each name that can be imported (a description, a model) says of a table. */
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

/** Every place where a file names a table. */
export function tableUses(sources: readonly Source[]): TableUse[] {
  const tables = describedTables(sources)
  const constants = tableConstants(sources)
  return sources.flatMap((source) => usesOf(source, tables, constants))
}

function usesOf(
  { path, file, imports }: Source,
  tables: ReadonlyMap<string, string>,
  constants: ReadonlyMap<string, string>
): TableUse[] {
  const uses: TableUse[] = []
  const add = (node: ts.Node, table: string | undefined, isChange: boolean) => {
    if (table === undefined || !tables.has(table)) return
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    uses.push({ table, isChange, place: `${path}:${line + 1}` })
  }
  const imported = new Map(
    imports.flatMap(({ target, names }) =>
      [...names].flatMap(([here, there]) => {
        const table = constants.get(`${target} ${there}`)
        return table ? [[here, table] as const] : []
      })
    )
  )
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
 * Where a client is told a table by a name that no type checks: `client.from('apps')`. A scope's
 * names are checked; `Buffer.from`, or a method of one's own, names no table.
 */
export function uncheckedNames(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, file }) => {
    const places: string[] = []
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      const { name, expression } = node.expression
      const asked = expression.getText().replace(/\s+/g, '')
      const isClient =
        (name.text === 'from' && !/^([A-Z]\w*|this)$/.test(asked)) ||
        (name.text === 'table' && !/(^|\.)scope$/.test(asked))
      if (!isClient) return
      const { line } = file.getLineAndCharacterOfPosition(name.getStart())
      places.push(`${path}:${line + 1}`)
    })
    return places
  })
}

const before = (sql: string, table: string) => sql.slice(0, sql.indexOf(table))

/** The methods called on what a call answers, also by the name of a constant that keeps it. */
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
