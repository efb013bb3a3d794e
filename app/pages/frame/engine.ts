import { fileURLToPath } from 'node:url'
import { Edge } from 'edge.js'
import { assets } from './assets.js'
import { ICONS, type IconName } from './icon_names.js'
import { strictView } from './strict_view.js'

const known = new Set<string>(ICONS)

/** Renders an icon. Screen readers skip it, so templates put a word beside it. */
function icon(name: IconName, classes = ''): string {
  if (!known.has(name)) throw new Error(`There is no icon ${name}`)
  const use = `<use href="${assets().path('icons.svg')}#${name}"/>`
  return `<svg class="i ${classes}" aria-hidden="true">${use}</svg>`
}

let engine: Edge | undefined

function edge(): Edge {
  if (engine) return engine
  engine = Edge.create({ cache: true })
  cacheIncluded(engine.compiler)
  engine.mount(fileURLToPath(new URL('../', import.meta.url)))
  engine.global('icon', icon)
  engine.global('asset', (name: string) => assets().path(name))
  return engine
}

/**
 * Makes the compiler cache included templates. Edge itself does not cache a template that gets
 * variables of the template around it: it would compile it again each time it is shown.
 */
function cacheIncluded(compiler: Edge['compiler']): void {
  const compile = compiler.compile.bind(compiler)
  const cache = new Map<string, ReturnType<typeof compile>>()
  compiler.compile = (path, variables) => {
    if (variables === undefined) return compile(path)
    const key = [path, ...variables].join(' ')
    const compiled = cache.get(key) ?? compile(path, variables)
    cache.set(key, compiled)
    return compiled
  }
}

/** Renders a template of `app/pages` with its view. */
export function renderTemplate(template: string, state: Record<string, unknown>): string {
  const isStrict = process.env.NODE_ENV !== 'production'
  const shown = isStrict
    ? Object.fromEntries(
        Object.entries(state).map(([name, view]) => [name, strictView(view, name)])
      )
    : state
  return edge().renderSync(template, shown)
}
