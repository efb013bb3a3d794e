/*
 * Imported before a program, notes which packages it loads; they are written into the file that
 * LOADED_PACKAGES names when it ends.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const packages = new Set()

registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
    if (name) packages.add(name)
    return next(url, context)
  },
})
process.once('exit', () => {
  writeFileSync(process.env.LOADED_PACKAGES, JSON.stringify([...packages].sort()))
})
