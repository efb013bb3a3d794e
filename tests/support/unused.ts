import ts from 'typescript'
import { walk, type Source } from './sources.js'

/*
 * Finds unused code: values that a file exports but no other file imports. Also finds the codes of
 * problems that the code refuses with.
 */

const isTest = (path: string) => path.startsWith('tests/') || path.includes('/tests/')

/** Names of the values that a file exports; `default` for its default export. */
function exportedValues({ file }: Source): string[] {
  return file.statements.flatMap((each) => {
    const modifiers = ts.canHaveModifiers(each) ? (ts.getModifiers(each) ?? []) : []
    const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind)
    if (!has(ts.SyntaxKind.ExportKeyword)) return []
    if (has(ts.SyntaxKind.DefaultKeyword)) return ['default']
    if (ts.isVariableStatement(each)) {
      return each.declarationList.declarations.map(({ name }) => name.getText())
    }
    const isNamed = ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)
    return isNamed && each.name ? [each.name.text] : []
  })
}

/** Returns whether a file uses a value that it declares. */
function isUsedAtHome({ file }: Source, name: string): boolean {
  let count = 0
  walk(file, (node) => {
    if (ts.isIdentifier(node) && node.text === name) count++
  })
  return count > 1
}

/**
 * Returns the values that files outside of tests export without need, as `app/a.ts name`: no file
 * imports them, or only tests do and their own file does not use them.
 * @param importers all files that could import them
 */
export function unusedExports(files: readonly Source[], importers: readonly Source[]): string[] {
  const uses = new Map<string, Set<string>>()
  for (const { path, imports } of importers) {
    for (const { target, names } of imports) {
      for (const name of names.size === 0 ? ['*'] : names.values()) {
        const key = `${target} ${name}`
        uses.set(key, (uses.get(key) ?? new Set()).add(path))
      }
    }
  }
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((source) =>
      exportedValues(source)
        .filter((name) => {
          const users = ['*', name].flatMap((each) => [
            ...(uses.get(`${source.path} ${each}`) ?? []),
          ])
          if (users.some((path) => !isTest(path))) return false
          return users.length === 0 || !isUsedAtHome(source, name)
        })
        .map((name) => `${source.path} ${name}`)
    )
}

/** Returns the codes in calls such as `refuse('code', …)` and `new Problem('code', …)`. */
export function refusedCodes(files: readonly Source[]): Set<string> {
  const codes = new Set<string>()
  for (const { path, file } of files) {
    if (isTest(path)) continue
    walk(file, (node) => {
      const refuses =
        (ts.isCallExpression(node) && node.expression.getText() === 'refuse') ||
        (ts.isNewExpression(node) && node.expression.getText() === 'Problem')
      const [first] = (refuses && node.arguments) || []
      if (!first) return
      walk(first, (part) => {
        if (ts.isStringLiteral(part)) codes.add(part.text)
      })
    })
  }
  return codes
}
