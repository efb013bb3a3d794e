/*
 * Loads the TypeScript sources inside this thread, and keeps what was compiled: see
 * docs/decisions/0007-typescript-is-compiled-at-start.md.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../', import.meta.url).href
const CACHE = new URL('../node_modules/.cache/tarmac/', import.meta.url)
const require = createRequire(import.meta.url)
const SETTINGS = {
  module: { type: 'es6' },
  sourceMaps: 'inline',
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
  return swc.transformSync(source, { ...SETTINGS, filename: file }).code
}

function compiled(file) {
  const source = readFileSync(file, 'utf8')
  const name = createHash('sha1')
    .update(VERSION + file)
    .update(source)
    .digest('hex')
  const kept = new URL(`${name}.js`, CACHE)
  try {
    return readFileSync(kept, 'utf8')
  } catch {
    const code = compile(file, source)
    try {
      // Renaming keeps a process that starts meanwhile from reading half a file.
      const part = new URL(`${name}.${process.pid}`, CACHE)
      writeFileSync(part, code)
      renameSync(part, kept)
    } catch {
      // Without a place to keep it, it is compiled at every start.
    }
    return code
  }
}

try {
  mkdirSync(CACHE, { recursive: true })
} catch {
  // As above.
}
process.setSourceMapsEnabled(true)
enableCompileCache(fileURLToPath(new URL('v8/', CACHE)))

const isOurs = (url) => url?.startsWith(ROOT) && !url.includes('/node_modules/')

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context)
    } catch (error) {
      // Sources import each other by the name they would have once compiled.
      const missing = error.url ?? ''
      if (error.code === 'ERR_MODULE_NOT_FOUND' && isOurs(missing) && missing.endsWith('.js')) {
        const url = missing.slice(0, -2) + 'ts'
        if (existsSync(fileURLToPath(url))) return { url, format: 'module', shortCircuit: true }
      }
      throw error
    }
  },
  load(url, context, next) {
    if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true }
  },
})
