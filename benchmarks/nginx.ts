import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './processes.js'

/** The nginx executable, as in Debian's package. */
const PROGRAM = process.env.BENCH_NGINX ?? 'nginx'

export const hasNginx = (): boolean => spawnSync(PROGRAM, ['-v']).status === 0

/**
 * Serves the files of a folder with nginx and two workers while `work` runs.
 * @param home a folder for nginx's own files
 */
export async function withNginx<Result>(
  files: string,
  home: string,
  work: (base: string) => Promise<Result>
): Promise<Result> {
  const port = await freePort()
  mkdirSync(home, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(home, name)};`
  )
  const configuration = `daemon off; worker_processes 2; pid ${join(home, 'pid')};
    error_log stderr error; events { worker_connections 256; }
    http { access_log off; sendfile on; tcp_nopush on; ${temporary.join(' ')}
      server { listen 127.0.0.1:${port}; root ${files}; } }`
  const path = join(home, 'nginx.conf')
  writeFileSync(path, process.getuid?.() === 0 ? `user root; ${configuration}` : configuration)
  const child = spawn(PROGRAM, ['-c', path, '-p', home], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    const base = `http://127.0.0.1:${port}`
    while (!(await fetch(`${base}/none`).catch(() => null))) {
      if (child.exitCode !== null) throw new Error('nginx does not start')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return await work(base)
  } finally {
    const exit = once(child, 'exit')
    if (child.kill('SIGTERM')) await exit
  }
}
