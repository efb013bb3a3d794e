/*
 * The health check of a container: exits with 0 if the service in the same container is ready, else
 * prints the reason. It reads the same settings.
 */
const EVERYWHERE = ['0.0.0.0', '::', '']
const { HOST = '', PORT = '3333' } = process.env
const host = EVERYWHERE.includes(HOST) ? '127.0.0.1' : HOST
const address = host.includes(':') ? `[${host}]` : host
try {
  const answer = await fetch(`http://${address}:${PORT}/health/ready`, {
    signal: AbortSignal.timeout(4000),
  })
  console.log(`${answer.status} ${await answer.text()}`)
  process.exitCode = answer.ok ? 0 : 1
} catch (error) {
  console.log(`No answer: ${error.cause?.message ?? error.message}`)
  process.exitCode = 1
}
