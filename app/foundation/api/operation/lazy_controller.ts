/** The methods of a controller as operations call them. */
type Handlers<Controller> = {
  [Name in keyof Controller]: Controller[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

/**
 * Returns a controller that is loaded, with its imports, by the first call of one of its methods.
 */
export function lazyController<Controller extends object>(
  load: () => Promise<Controller>
): Handlers<Controller> {
  let loaded: Promise<Controller> | undefined
  // A failed import (too many open files) is retried by the next call.
  const retried = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  return new Proxy({} as Handlers<Controller>, {
    get:
      (_target, name) =>
      async (...args: unknown[]) => {
        const controller = await (loaded ??= load().catch(retried))
        return Reflect.apply(Reflect.get(controller, name) as () => unknown, controller, args)
      },
  })
}
