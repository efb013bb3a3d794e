/*
 * Compiles TypeScript sources when they are loaded, in this thread, and caches the result
 * (docs/decisions/0009-starting-and-shipping.md).
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readPlacesOfSources } from './stack_traces.js'

const ROOT = new URL('../', import.meta.url).href
/** The folder of the cache. */
export const CACHE = new URL('../node_modules/.cache/tarmac/', import.meta.url)
const require = createRequire(import.meta.url)
const SETTINGS = {
  module: { type: 'es6' },
  sourceMaps: true,
  inlineSourcesContent: false,
  // Node keeps the text of loaded modules in memory: minified it is half as long, and ASCII takes
  // one byte per character.
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

/** The compiler, loaded only if a file is not in the cache. */
let swc
function compile(file, source) {
  swc ??= require('@swc/core')
  return swc.transformSync(source, { ...SETTINGS, filename: file })
}

/** Writes a text to the cache. Returns whether that succeeded. */
function keep(name, text) {
  try {
    // Renaming prevents a concurrent process from reading an incomplete file.
    const part = new URL(`${name}.${process.pid}`, CACHE)
    writeFileSync(part, text)
    renameSync(part, new URL(name, CACHE))
    return true
  } catch {
    // Without a writable cache, files are compiled at every start.
    return false
  }
}

/** Functions that return the source map of each loaded file, for stack traces. */
const maps = new Map()

/** Returns the compiled code of one of our sources, from the cache if possible. */
export function compiled(url) {
  const file = fileURLToPath(url)
  const source = readFileSync(file, 'utf8')
  // The name depends on the relative path alone, so a copy of the whole folder can use the cache in
  // it.
  const name = createHash('sha1')
    .update(VERSION + url.slice(ROOT.length))
    .update(source)
    .digest('hex')
  maps.set(url, () => readFileSync(new URL(`${name}.map`, CACHE), 'utf8'))
  try {
    return readFileSync(new URL(`${name}.js`, CACHE), 'utf8')
  } catch {
    const { code, map } = compile(file, source)
    // The map comes first, so that cached code always has its map.
    const isKept = keep(`${name}.map`, map) && keep(`${name}.js`, code)
    if (!isKept) maps.set(url, () => map)
    return code
  }
}

try {
  mkdirSync(CACHE, { recursive: true })
} catch {
  // Files are then compiled at every start.
}
readPlacesOfSources((url) => maps.get(url)?.())
// Node's cache of compiled code saves a tenth of a second at the start, but takes 11 MB while the
// process lives, so the service does without it.
const isService = /\bbin\/start\.js$/.test(process.argv[1] ?? '')
if (!isService) enableCompileCache(fileURLToPath(new URL('v8/', CACHE)))

const isOurs = (url) => url?.startsWith(ROOT) && !url.includes('/node_modules/')

/** The import aliases of our folders (`#releases/*`) with their paths, from package.json. */
const ALIASES = Object.entries(require('../package.json').imports).map(([name, path]) => [
  name.slice(0, -1),
  new URL(path, ROOT).href.split('*'),
])

/** Our own packages are loaded from their sources, which they export under this condition. */
const OWN_PACKAGE = '@tarmac/'
const SOURCES = 'tarmac-source'

/**
 * Returns the URL of the TypeScript source for an import of a `.js` file, if it may be one of ours;
 * else null.
 */
function sourceOf(specifier, parent) {
  let url
  if (specifier.startsWith('#')) {
    const alias = isOurs(parent) && ALIASES.find(([name]) => specifier.startsWith(name))
    url = alias && alias[1].join(specifier.slice(alias[0].length))
  } else if (specifier.startsWith('file:')) {
    url = specifier
  } else if (specifier.startsWith('.') && isOurs(parent)) {
    url = new URL(specifier, parent).href
  }
  return url && isOurs(url) && url.endsWith('.js') ? `${url.slice(0, -2)}ts` : null
}

const present = new Map()
function doesExist(url) {
  let there = present.get(url)
  if (there === undefined) present.set(url, (there = existsSync(fileURLToPath(url))))
  return there
}

/*
 * Caches the resolution of packages until npm installs something: resolving two thousand files
 * takes an eighth of a start.
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
  // There is no cache yet.
}

function keepFound() {
  if (hasFoundMore && foundFile) keep(foundFile, JSON.stringify([...foundBefore]))
  hasFoundMore = false
}

/** Milliseconds after which the start is over, and packages are resolved by Node as usual. */
const START_MS = 10_000
let isStarting = true
setTimeout(() => {
  keepFound()
  isStarting = false
  foundBefore.clear()
  present.clear()
}, START_MS).unref()
process.once('exit', keepFound)

/** Resolves an import of a package from the cache, or by Node. */
function resolvePackage(specifier, context, next) {
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

/**
 * Resolves an import of a workspace to its source; null for everything else, including an installed
 * package of ours.
 */
function ownPackage(specifier, context, next) {
  if (!specifier.startsWith(OWN_PACKAGE)) return null
  try {
    const found = next(specifier, { ...context, conditions: [...context.conditions, SOURCES] })
    return isOurs(found.url) ? found : null
  } catch {
    // Published packages do not export sources.
    return null
  }
}

registerHooks({
  resolve(specifier, context, next) {
    const source = sourceOf(specifier, context.parentURL)
    if (source && doesExist(source)) return { url: source, format: 'module', shortCircuit: true }
    return ownPackage(specifier, context, next) ?? resolvePackage(specifier, context, next)
  },
  load(url, context, next) {
    if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: compiled(url), shortCircuit: true }
  },
})
