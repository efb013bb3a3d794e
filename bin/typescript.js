/*
 * Loads the TypeScript sources inside this thread, and keeps what was compiled: see
 * docs/decisions/0009-starting-and-shipping.md.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readPlacesOfSources } from './stack_traces.js'

const ROOT = new URL('../', import.meta.url).href
/** The folder of what is kept. */
export const CACHE = new URL('../node_modules/.cache/tarmac/', import.meta.url)
const require = createRequire(import.meta.url)
const SETTINGS = {
  module: { type: 'es6' },
  sourceMaps: true,
  inlineSourcesContent: false,
  // Loaded modules are kept as text: without comments and blanks it is half as long, and in one
  // byte a character.
  minify: true,
  jsc: {
    output: { charset: 'ascii' },
    target: 'esnext',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
}
const VERSION = JSON.stringify([SETTINGS, require('@swc/core/package.json').version])

/** The compiler is loaded only when a file has changed since it was last compiled. */
let swc
function compile(file, source) {
  swc ??= require('@swc/core')
  return swc.transformSync(source, { ...SETTINGS, filename: file })
}

/** Keeps a text, and answers whether that went well. */
function keep(name, text) {
  try {
    // Renaming keeps a process that starts meanwhile from reading half a file.
    const part = new URL(`${name}.${process.pid}`, CACHE)
    writeFileSync(part, text)
    renameSync(part, new URL(name, CACHE))
    return true
  } catch {
    // Without a place to keep it, it is compiled at every start.
    return false
  }
}

/** Functions that give the source map of each loaded file, for stacks. */
const maps = new Map()

/** The code of one of our sources, compiled now or before. */
export function compiled(url) {
  const file = fileURLToPath(url)
  const source = readFileSync(file, 'utf8')
  // A copy of the whole folder finds what is kept in it.
  const name = createHash('sha1')
    .update(VERSION + url.slice(ROOT.length))
    .update(source)
    .digest('hex')
  maps.set(url, () => readFileSync(new URL(`${name}.map`, CACHE), 'utf8'))
  try {
    return readFileSync(new URL(`${name}.js`, CACHE), 'utf8')
  } catch {
    const { code, map } = compile(file, source)
    // The map first: whoever finds the code finds its map.
    const isKept = keep(`${name}.map`, map) && keep(`${name}.js`, code)
    if (!isKept) maps.set(url, () => map)
    return code
  }
}

try {
  mkdirSync(CACHE, { recursive: true })
} catch {
  // As above.
}
readPlacesOfSources((url) => maps.get(url)?.())
// Node's cache of compiled code saves a tenth of a second of a start, and takes 11 MB for as long
// as the process lives: a service does without it.
const isService = /\bbin\/start\.js$/.test(process.argv[1] ?? '')
if (!isService) enableCompileCache(fileURLToPath(new URL('v8/', CACHE)))

const isOurs = (url) => url?.startsWith(ROOT) && !url.includes('/node_modules/')

/** The names of our rooms (`#releases/*`) and their folders, as package.json has them. */
const ROOMS = Object.entries(require('../package.json').imports).map(([name, path]) => [
  name.slice(0, -1),
  new URL(path, ROOT).href.split('*'),
])

/** Our own packages are loaded from their sources, which they export under this condition. */
const OWN_PACKAGE = '@tarmac/'
const SOURCES = 'tarmac-source'

/** The source meant by the name it would have once compiled, when that may be one of ours. */
function sourceOf(specifier, parent) {
  let url
  if (specifier.startsWith('#')) {
    const room = isOurs(parent) && ROOMS.find(([name]) => specifier.startsWith(name))
    url = room && room[1].join(specifier.slice(room[0].length))
  } else if (specifier.startsWith('file:')) {
    url = specifier
  } else if (specifier.startsWith('.') && isOurs(parent)) {
    url = new URL(specifier, parent).href
  }
  return url && isOurs(url) && url.endsWith('.js') ? `${url.slice(0, -2)}ts` : null
}

const present = new Map()
function isThere(url) {
  let there = present.get(url)
  if (there === undefined) present.set(url, (there = existsSync(fileURLToPath(url))))
  return there
}

/*
 * Finds packages and their files where they were found last, for as long as npm installs nothing:
 * looking for two thousand of them takes an eighth of a start.
 */
let foundFile
let foundBefore = new Map()
let hasFoundMore = false
try {
  const { mtimeMs, size } = statSync(new URL('../node_modules/.package-lock.json', import.meta.url))
  const of = JSON.stringify([process.version, process.argv[1], mtimeMs, size])
  foundFile = `${createHash('sha1').update(of).digest('hex')}.json`
  foundBefore = new Map(JSON.parse(readFileSync(new URL(foundFile, CACHE), 'utf8')))
} catch {
  // Nothing was kept yet.
}

function keepFound() {
  if (hasFoundMore && foundFile) keep(foundFile, JSON.stringify([...foundBefore]))
  hasFoundMore = false
}

/** Milliseconds after which the start is over, and what is loaded is looked for as ever. */
const START_MS = 10_000
let isStarting = true
setTimeout(() => {
  keepFound()
  isStarting = false
  foundBefore.clear()
  present.clear()
}, START_MS).unref()
process.once('exit', keepFound)

/** Resolves a package as before, or by Node. */
function findOthers(specifier, context, next) {
  const { parentURL: parent, conditions = [], importAttributes = {} } = context
  if (!isStarting || !parent?.startsWith(ROOT) || Object.keys(importAttributes).length > 0)
    return next(specifier, context)
  const from = conditions.includes('import') ? 'import' : 'require'
  const key = `${from} ${specifier} ${parent.slice(ROOT.length)}`
  const before = foundBefore.get(key)
  if (before) return { url: before[0], format: before[1] ?? undefined, shortCircuit: true }
  const result = next(specifier, context)
  if (/^node:|\/node_modules\//.test(result.url)) {
    foundBefore.set(key, [result.url, result.format])
    hasFoundMore = true
  }
  return result
}

/** The source of a workspace; null for everything else, a package of ours that is installed too. */
function ownPackage(specifier, context, next) {
  if (!specifier.startsWith(OWN_PACKAGE)) return null
  try {
    const found = next(specifier, { ...context, conditions: [...context.conditions, SOURCES] })
    return isOurs(found.url) ? found : null
  } catch {
    // Published packages hold no sources.
    return null
  }
}

registerHooks({
  resolve(specifier, context, next) {
    const source = sourceOf(specifier, context.parentURL)
    if (source && isThere(source)) return { url: source, format: 'module', shortCircuit: true }
    return ownPackage(specifier, context, next) ?? findOthers(specifier, context, next)
  },
  load(url, context, next) {
    if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: compiled(url), shortCircuit: true }
  },
})
