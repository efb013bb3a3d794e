import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/*
 * The code as the tests of its architecture read it: files, imports and import cycles.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Import {
  /** The path of a file of the project from its root, or the name of a package. */
  target: string
  isType: boolean
  /**
   * Local names to the names that the other file exports (`default` for its default export); empty
   * for an import of the whole module.
   */
  names: ReadonlyMap<string, string>
}

export interface Source {
  /** Path from the root: `app/releases/routes.ts`. */
  path: string
  text: string
  imports: readonly Import[]
  file: ts.SourceFile
}

const { imports: aliases } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>
}

function resolve(specifier: string, from: string): string {
  if (specifier.startsWith('.')) {
    return join(dirname(from), specifier).replace(/\.js$/, '.ts')
  }
  for (const [alias, target] of Object.entries(aliases)) {
    const prefix = alias.slice(0, -1)
    if (specifier.startsWith(prefix)) {
      return join(target.replace('*.js', `${specifier.slice(prefix.length)}.ts`))
    }
  }
  return specifier
}

/** Visits a node and all its descendants. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

function namesOf(clause: ts.ImportClause | undefined): Map<string, string> {
  const names = new Map<string, string>()
  if (clause?.name) names.set(clause.name.text, 'default')
  const bindings = clause?.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) return new Map()
  if (bindings && ts.isNamedImports(bindings)) {
    for (const { name, propertyName } of bindings.elements) {
      names.set(name.text, (propertyName ?? name).text)
    }
  }
  return names
}

function exportedNames(clause: ts.NamedExportBindings | undefined): Map<string, string> {
  if (!clause || !ts.isNamedExports(clause)) return new Map()
  return new Map(
    clause.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text])
  )
}

/** Returns the name that `import('…').Name` takes. */
function qualifiedName({ qualifier }: ts.ImportTypeNode): Map<string, string> {
  let first = qualifier
  while (first && ts.isQualifiedName(first)) first = first.left
  return new Map(first ? [[first.text, first.text]] : [])
}

/** Parses a source from its text, which need not be in a file. */
export function parse(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean, names = new Map()) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return
    imports.push({ target: resolve(specifier.text, path), isType, names })
  }
  walk(file, (node) => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause
      const isType = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      add(node.moduleSpecifier, isType, namesOf(clause))
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly, exportedNames(node.exportClause))
    } else if (ts.isImportTypeNode(node)) {
      const literal = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
      add(literal, true, qualifiedName(node))
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false)
    }
  })
  return { path, text, imports, file }
}

const ignored = new Set(readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n'))
const isIgnored = (path: string) => ignored.has(basename(path))

/** Reads every TypeScript file below a folder, including tests and excluding generated files. */
export function readSources(folder: string): Source[] {
  return globSync(`${folder}/**/*.ts`, { cwd: ROOT, exclude: isIgnored })
    .map((path) => relative('.', path))
    .sort()
    .map((path) => parse(path, readFileSync(join(ROOT, path), 'utf8')))
}

/** Reads every file of code in the repository, excluding generated files. */
export function readKept(): Pick<Source, 'path' | 'text'>[] {
  return globSync('**/*.{ts,js}', { cwd: ROOT, exclude: isIgnored })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** Returns the first cycle of a graph as its path, with the same name at both ends. */
export function findCycle(graph: ReadonlyMap<string, Iterable<string>>): string[] | null {
  const finished = new Set<string>()
  const path: string[] = []
  const follow = (name: string): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (finished.has(name)) return null
    path.push(name)
    for (const next of graph.get(name) ?? []) {
      const cycle = follow(next)
      if (cycle) return cycle
    }
    path.pop()
    finished.add(name)
    return null
  }
  for (const name of graph.keys()) {
    const cycle = follow(name)
    if (cycle) return cycle
  }
  return null
}

/** Returns the files with their imports, including those of types. */
export function importGraph(sources: readonly Source[]): Map<string, string[]> {
  return new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
}

/** Groups of files, such as modules, with the other groups that they import. */
export function groupGraph(
  sources: readonly Source[],
  groupOf: (path: string) => string | null
): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = groupOf(path)
    if (from === null) continue
    const known = graph.get(from) ?? new Set()
    graph.set(from, known)
    for (const { target } of imports) {
      const to = groupOf(target)
      if (to !== null && to !== from) known.add(to)
    }
  }
  return graph
}
