import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/utils'

/** Maximum wait for another request of the same upload, in milliseconds. */
const TIMEOUT_MS = 30_000

interface Holder {
  requestRelease: RequestRelease
  released: Promise<void>
  release(): void
}

/**
 * Serializes the requests of one upload within this process. A new request asks the previous one to
 * end, so that a client that reconnects need not wait until the service notices the broken
 * connection.
 */
export class UploadLocks implements Locker {
  readonly #holders = new Map<string, Holder>()

  constructor(private readonly patienceMs = TIMEOUT_MS) {}

  newLock(id: string): Lock {
    let own: Holder | undefined
    return {
      lock: async (_signal, requestRelease) => {
        const until = performance.now() + this.patienceMs
        for (let before = this.#holders.get(id); before; before = this.#holders.get(id)) {
          await before.requestRelease()
          if (!(await settlesWithin(before.released, until - performance.now()))) {
            throw ERRORS.ERR_LOCK_TIMEOUT
          }
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        own = { requestRelease, released: promise, release: resolve }
        this.#holders.set(id, own)
      },
      unlock: async () => {
        if (own && this.#holders.get(id) === own) this.#holders.delete(id)
        own?.release()
      },
    }
  }
}

async function settlesWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(ms, 0))
  })
  return Promise.race([work.then(() => true as const), timeout]).finally(() => clearTimeout(timer))
}
