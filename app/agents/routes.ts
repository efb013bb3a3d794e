import { Type } from '@sinclair/typebox'
import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { oneStep } from '#foundation/api/operation/steps'
import { MAX_REQUEST } from './bounds.js'
import { protocolValidator } from './validators/protocol_input.js'

const protocol = lazyController(
  async () => new (await import('./agent_protocol.js')).AgentProtocol()
)

const message = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

export const operations = [
  operation({
    id: 'callAgentProtocol',
    steps: oneStep('each operation that a tool carries out has its own number of steps'),
    method: 'POST',
    path: '/mcp',
    tag: 'Agents',
    summary: 'Call the agent protocol (MCP)',
    description:
      'Processes one JSON-RPC message of the Model Context Protocol over Streamable HTTP, without a session: revision 2026-07-28, and clients of 2025-11-25 and 2025-06-18 that need no session. Batches are refused. The tools listed are those of the default set, or of the sets named in `tools`, that the key may use. The protocol itself lists tools, resources and prompts. The key may also be sent as `Authorization: Bearer`. A tool does what the operation it names does, with the same rights, limits and problems; the timeline shows the key with the name of the client. Irreversible actions require the token of a plan shown before. A call of the red button is accepted even beyond the request limits.',
    beyond: true,
    access: read,
    bearer: true,
    apart: true,
    judgesUrgency: true,
    query: protocolValidator,
    body: {
      kind: 'wire',
      headers: {
        'Mcp-Protocol-Version': 'Protocol revision of the client.',
        'Mcp-Method': 'Method of the message, sent by newer clients.',
        'Mcp-Name': 'Name of the tool, prompt or resource, sent by newer clients.',
        'Mcp-Session-Id': 'Value that `initialize` returned, sent by clients of 2025.',
        'Origin': 'Sent by browsers; must be the address of the service.',
      },
      example: { 'Mcp-Protocol-Version': '2025-11-25' },
      content: {
        contentType: 'application/json',
        description: 'A JSON-RPC request or notification.',
        maxBytes: MAX_REQUEST,
      },
    },
    responses: {
      200: {
        description:
          'The JSON-RPC response; a stream if the request has a progress token and there is progress to report.',
        schema: message('A JSON-RPC response.'),
        orTypes: ['text/event-stream'],
        headers: {
          'Mcp-Session-Id':
            'After `initialize`: the signed name of the client. It need not be sent back and is not stored.',
        },
        example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      },
      202: { description: 'The notification was accepted.' },
      400: {
        description:
          'The message is not JSON (-32700), is a batch or violates the protocol; a JSON-RPC error says why.',
        schema: message('A JSON-RPC error.'),
        example: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } },
      },
      404: {
        description: 'The protocol has no such method; a JSON-RPC error says so.',
        schema: message('A JSON-RPC error.'),
        example: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
      },
    },
    handle: (call) => protocol.answer(call as never),
  }),
]
