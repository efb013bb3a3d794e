/**
 * Returns a proxy of a value that counts reads of its members, at any depth but not within maps and
 * sets.
 */
export function counted<Value extends object>(value: Value): { value: Value; reads: () => number } {
  let reads = 0
  const known = new WeakMap<object, object>()
  const wrap = (each: object): object => {
    const proxy =
      known.get(each) ??
      new Proxy(each, {
        get(target, name, receiver) {
          if (typeof name === 'string') reads += 1
          const member: unknown = Reflect.get(target, name, receiver)
          const isData =
            typeof member === 'object' &&
            member !== null &&
            !(member instanceof Map || member instanceof Set)
          return isData ? wrap(member) : member
        },
      })
    known.set(each, proxy)
    return proxy
  }
  return { value: wrap(value) as Value, reads: () => reads }
}
