import { connect } from 'node:net'

/**
 * Returns whether to run the tests of Redis: if a server is reachable (`REDIS_URL`, by default the
 * local one), and always with `TEST_REQUIRE_REDIS=1`.
 */
export async function hasRedis(): Promise<boolean> {
  if (process.env.TEST_REQUIRE_REDIS === '1') return true
  const { hostname, port } = new URL(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: 1000 })
    const respond = (reachable: boolean) => {
      socket.destroy()
      resolve(reachable)
    }
    socket.on('connect', () => respond(true))
    socket.on('error', () => respond(false))
    socket.on('timeout', () => respond(false))
  })
}
