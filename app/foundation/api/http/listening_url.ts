/** Every address of the machine: a URL needs one of them. */
const ANY = ['0.0.0.0', '::']

/** The address at which a service listens that is given this host and port. */
export function listeningUrl(host = '127.0.0.1', port = 3333): string {
  const name = ANY.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
