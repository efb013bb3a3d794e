import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../../core/problems/problem.js'
import { endWithProblem } from './plain_problem.js'

/** The public address of the service, and the beginnings of the paths of pages. */
interface Addresses {
  publicUrl: string
  pages: readonly string[]
}

/**
 * Answers a request with an undecodable path, which reaches neither a route nor the error boundary.
 * People get the page of an unknown address: the path of a page is taken literally.
 */
export async function answerBadUrl(
  request: IncomingMessage,
  response: ServerResponse,
  { publicUrl, pages }: Addresses
): Promise<void> {
  const [path, ...query] = request.url!.split('?')
  if (pages.some((page) => path.startsWith(page))) {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?')
    const { default: server } = await import('@adonisjs/core/services/server')
    await server.handle(request, response)
    return
  }
  const detail = 'The path contains a percent sign that does not start a UTF-8 character.'
  endWithProblem(request, response, refuse('malformed_request', { detail }), publicUrl)
}
