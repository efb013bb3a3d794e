/*
 * Is imported before a program and records the packages that it loads. When the program ends, their
 * names are written into the file that LOADED_PACKAGES names.
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
