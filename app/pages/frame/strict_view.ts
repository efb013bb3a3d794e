/** Members that runtimes probe on any object. */
const PROBED_MEMBERS = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'tagName'])

/**
 * Wraps a view so that reading a missing member throws, where a template would print `undefined`.
 * Production runs without it.
 */
export function strictView<View>(view: View, name = 'view'): View {
  if (typeof view !== 'object' || view === null) return view
  return new Proxy(view, {
    get(target, member, receiver) {
      const value: unknown = Reflect.get(target, member, receiver)
      if (typeof member === 'symbol' || typeof value === 'function') return value
      if (value === undefined && !(member in target)) {
        if (PROBED_MEMBERS.has(member)) return undefined
        throw new Error(`${name} has no member ${member}`)
      }
      return strictView(value, `${name}.${member}`)
    },
  })
}
