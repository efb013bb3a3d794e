/** Members that a runtime looks for in any object. */
const ASKED_OF_ALL = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'tagName'])

/**
 * Wraps a view so that reading a missing member throws; a template would otherwise print
 * `undefined`. It is used everywhere but in production.
 */
export function strictView<View>(view: View, name = 'view'): View {
  if (typeof view !== 'object' || view === null) return view
  return new Proxy(view, {
    get(target, member, receiver) {
      const value: unknown = Reflect.get(target, member, receiver)
      if (typeof member === 'symbol' || typeof value === 'function') return value
      if (value === undefined && !(member in target)) {
        if (ASKED_OF_ALL.has(member)) return undefined
        throw new Error(`${name} has no member ${member}`)
      }
      return strictView(value, `${name}.${member}`)
    },
  })
}
