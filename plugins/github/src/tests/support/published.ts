import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * GitHub's own description of its API. The package has 385 MB, so it is no dependency: the test
 * fetches it by npm, keeps the part that the plugin needs, and discards the rest.
 */

const PACKAGE = '@octokit/openapi@23.0.2'
const DOCUMENT = 'package/generated/api.github.com.json'
const CACHE = fileURLToPath(
  new URL('../../../../../node_modules/.cache/tarmac/github-openapi-23.0.2.json', import.meta.url)
)

type Schema = Record<string, unknown>

export interface Published {
  paths: Record<string, Record<string, Schema>>
  components: Record<string, Record<string, unknown>>
}

/** Returns the description of some operations, with all that they refer to. */
export function publishedOperations(operations: readonly string[]): Published {
  const kept = existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as Published) : null
  const isThere = ({ paths }: Published) =>
    operations.every((each) => {
      const [method, path] = each.split(' ')
      return paths[path]?.[method.toLowerCase()] !== undefined
    })
  if (kept && isThere(kept)) return kept
  const slice = sliceOf(fetchDocument(), operations)
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify(slice))
  return slice
}

function fetchDocument(): Published {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-octokit-'))
  try {
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 20 }).trim()
    const archive = run('npm', 'pack', PACKAGE, '--silent')
    run('tar', '-xzf', archive, DOCUMENT)
    return JSON.parse(readFileSync(join(folder, DOCUMENT), 'utf8')) as Published
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sliceOf(document: Published, operations: readonly string[]): Published {
  const slice: Published = { paths: {}, components: {} }
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (name === 'examples' || name === 'example') continue
      if (name === '$ref' && typeof member === 'string') keep(member)
      else follow(member)
    }
  }
  const keep = (ref: string) => {
    const [, , kind, name] = ref.split('/')
    const target = (slice.components[kind] ??= {})
    if (Object.hasOwn(target, name)) return
    target[name] = document.components[kind][name]
    follow(target[name])
  }
  for (const each of operations) {
    const [method, path] = each.split(' ')
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`GitHub publishes no operation ${each}`)
    ;(slice.paths[path] ??= {})[method.toLowerCase()] = operation
    follow(operation)
  }
  return slice
}
