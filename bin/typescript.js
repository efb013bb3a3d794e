/*
 * Loads the TypeScript sources inside this thread, and keeps what was compiled: see
 * docs/decisions/0007-typescript-is-compiled-at-start.md.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readPlacesOfSources } from './stack_traces.js'

const ROOT = new URL('../', import.meta.url).href
const CACHE = new URL('../node_modules/.cache/tarmac/', import.meta.url)
const require = createRequire(import.meta.url)
const SETTINGS = {
  module: { type: 'es6' },
  sourceMaps: true,
  inlineSourcesContent: false,
  jsc: {
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

/** How to get the source map of each file that was loaded, should a stack be asked for. */
const maps = new Map()

function compiled(url) {
  const file = fileURLToPath(url)
  const source = readFileSync(file, 'utf8')
  const name = createHash('sha1')
    .update(VERSION + file)
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
enableCompileCache(fileURLToPath(new URL('v8/', CACHE)))

const isOurs = (url) => url?.startsWith(ROOT) && !url.includes('/node_modules/')

/** The names of our rooms (`#releases/*`) and their folders, as package.json has them. */
const ROOMS = Object.entries(require('../package.json').imports).map(([name, path]) => [
  name.slice(0, -1),
  new URL(path, ROOT).href.split('*'),
])

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

const found = new Map()
function isThere(url) {
  let there = found.get(url)
  if (there === undefined) found.set(url, (there = existsSync(fileURLToPath(url))))
  return there
}

registerHooks({
  resolve(specifier, context, next) {
    const source = sourceOf(specifier, context.parentURL)
    if (source && isThere(source)) return { url: source, format: 'module', shortCircuit: true }
    return next(specifier, context)
  },
  load(url, context, next) {
    if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: compiled(url), shortCircuit: true }
  },
})
