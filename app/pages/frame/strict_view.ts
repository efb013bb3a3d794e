/** Names that a runtime asks any object for. */
const ASKED_OF_ALL = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'tagName'])

/**
 * Wraps a view so that reading a member that it lacks throws, where a template would print
 * `undefined`. Tests and development render with it.
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
