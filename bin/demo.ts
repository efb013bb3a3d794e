import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'

/*
 * Starts the service on an empty temporary home, receives its webhooks with an
 * independent library, and plays a release from the configuration file to its end over
 * the API. Exits with 1 as soon as anything is not as it should be.
 */

const GREEN = '\u001b[32m'
const DIM = '\u001b[2m'
const PLAIN = '\u001b[0m'
const began = performance.now()

function say(line: string): void {
  console.log(
    `${DIM}${((performance.now() - began) / 1000).toFixed(1).padStart(5)}s${PLAIN}  ${line}`
  )
}

interface Received {
  type: string
  sequence: number
}

/** A receiver of webhooks that verifies each one before it answers 204. */
async function receiveWebhooks() {
  const received: Received[] = []
  let secret = ''
  let failure: Error | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const headers = request.headers as Record<string, string>
        const body = Buffer.concat(chunks).toString()
        const event = new Webhook(secret).verify(body, headers) as Received & {
          releaseSteps?: { name: string; status: string }[]
          checklistItem?: { title: string; status: { type: string } }
        }
        received.push({ type: event.type, sequence: event.sequence })
        const [step] = event.releaseSteps ?? []
        const item = event.checklistItem
        const about = step
          ? `: ${step.name} is ${step.status}`
          : item
            ? `: ${item.title} is ${item.status.type}`
            : ''
        say(`${GREEN}webhook verified${PLAIN}  #${event.sequence} ${event.type}${about}`)
        response.writeHead(204).end()
      } catch (error) {
        failure = error as Error
        response.writeHead(400).end()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return {
    url,
    received,
    trust: (value: string) => void (secret = value),
    problem: () => failure,
    close: () => server.close(),
  }
}

/** Starts the service as `npm start` does and reads its greeting. */
async function startService(home: string) {
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo
      probe.close(() => resolve(free))
    })
  })
  const child = spawn(process.execPath, ['bin/start.js'], {
    env: {
      ...process.env,
      TARMAC_HOME: home,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: '',
      LIMIT_PER_SECOND: '50',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const base = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`)
    try {
      if ((await fetch(`${base}/health/ready`)).ok) break
    } catch {
      if (attempt > 200) throw new Error('The service did not start within 20 seconds')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const key = /API key\s+(\S+)/.exec(output)?.[1]
  const organization = /organization\s+(org_\S+)/.exec(output)?.[1]
  if (!key || !organization) throw new Error(`No key in the greeting:\n${output}`)
  return {
    base,
    key,
    organization,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await ended
      if (code !== 0) throw new Error(`The service ended with ${code}`)
    },
  }
}

/** A client that says each call it makes and fails on an unexpected status. */
function client(base: string, key: string) {
  return async (method: string, path: string, body?: unknown, expected?: number) => {
    const isText = typeof body === 'string'
    const answer = await fetch(base + path, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined
          ? {}
          : { 'content-type': isText ? 'application/yaml' : 'application/json' }),
      },
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    const value =
      text && /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    say(`${method} ${path} → ${answer.status}`)
    const wanted = expected ?? (method === 'POST' ? 201 : 200)
    if (answer.status !== wanted) throw new Error(`Expected ${wanted}:\n${text}`)
    return value
  }
}

/** Waits until a condition holds. @throws after ten seconds */
async function until(what: string, holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Waited in vain for ${what}`)
}

function demand(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

async function play(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tarmac-demo-'))
  const receiver = await receiveWebhooks()
  const service = await startService(home)
  try {
    say(`Tarmac serves at ${service.base}`)
    const call = client(service.base, service.key)

    const endpoint = await call('POST', `/org/${service.organization}/webhookEndpoint`, {
      url: receiver.url,
      events: ['*'],
    })
    receiver.trust(endpoint.secret)

    const file = readFileSync(new URL('../docs/examples/acme_ios.yml', import.meta.url), 'utf8')
    const app = await call('POST', `/org/${service.organization}/app/config`, file)
    say(`The file became the app ${app.id} with ${app.steps.length} steps`)

    await call('POST', `/app/${app.id}/approval`, { title: 'Product sign-off' })
    for (const title of ['Sign in', 'Checkout', 'Push notifications']) {
      await call('POST', `/app/${app.id}/regressionItem`, { title })
    }
    const release = await call('POST', `/app/${app.id}/release`, {
      version: '1.4.0',
      releaseName: 'Winter',
    })
    await call('POST', `/app/${app.id}/release`, { version: '1.5.0' })
    const path = `/app/${app.id}/release/${release.id}`

    const reasons = await call('GET', `${path}/whyNotMoving`)
    for (const reason of reasons.release) say(`  not moving: ${reason.message}`)
    await call('PUT', `${path}/kickoff`)

    const items = await call('GET', `${path}/checklistItems`)
    for (const item of items) {
      const status = item.kind === 'approval' ? 'approved' : 'passed'
      await call('PUT', `${path}/checklistItem/${item.id}/status`, { status })
    }
    const ready = await call('GET', `/v2/app/${app.id}/releases/${release.id}`)
    demand(ready.readyToSubmit, 'The release should be ready to submit')
    for (const step of ready.steps) say(`  ${step.name}: ${step.status}`)

    await call('PUT', `${path}/complete`)
    const next = await call('GET', `/v2/app/${app.id}/releases?status=active`)
    demand(next.data[0]?.version === '1.5.0', 'The train should have moved on to 1.5.0')
    say('The train moved on to 1.5.0')

    const wanted = [
      'release.created',
      'release.kickedOff',
      'checklistItem.statusChanged',
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
    ]
    const types = () => new Set(receiver.received.map((event) => event.type))
    await until('every webhook', () => wanted.every((type) => types().has(type)))
    demand(receiver.problem() === null, `A webhook did not verify: ${receiver.problem()?.message}`)

    const timeline = await call('GET', `${path}/timelineEvents?limit=200`)
    say(
      `The timeline tells ${timeline.data.length} things, ${receiver.received.length} webhooks were verified`
    )
  } finally {
    await service.stop()
    receiver.close()
    rmSync(home, { recursive: true, force: true })
  }
}

try {
  await play()
  say(`${GREEN}Done.${PLAIN} Everything happened as it should.`)
} catch (error) {
  console.error(`The demo failed: ${(error as Error).message}`)
  process.exitCode = 1
}
