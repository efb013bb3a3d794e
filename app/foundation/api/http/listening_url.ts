/** Hosts that mean every address of the machine; a URL needs a single one. */
const ANY = ['0.0.0.0', '::']

/** Returns the URL of a service that listens on a host and port. */
export function listeningUrl(host = '127.0.0.1', port = 3333): string {
  const name = ANY.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
