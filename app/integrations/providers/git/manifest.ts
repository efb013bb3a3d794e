import type { PluginManifest } from '#plugin-kit/manifest'

/** Anything but control characters; the address is read strictly when it is used. */
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]+$'
/** No transport that runs a program, no option of git, and no way up. */
const BASE_URL = '^(?!.*(^|/)\\.{1,2}(/|$))(/|ssh://|https://)[^\\u0000-\\u001f\\u007f]*$'

/** Version control on a plain git server or a folder of repositories, with the program `git`. */
export const manifest: PluginManifest = {
  id: 'git',
  aliases: ['plain-git'],
  name: 'Git',
  version: '1.2.0',
  spi: 1,
  docsUrl: 'https://git-scm.com/docs',
  // The program asks and authenticates; nothing of it goes through the port.
  hosts: { allow: [], selfHosted: false },
  auth: [{ scheme: 'none' }],
  credentialSchema: {
    type: 'object',
    properties: {
      username: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        pattern: PRINTABLE,
        title: 'User name',
        description: 'For https, without line breaks; git where it is absent.',
      },
      token: {
        'type': 'string',
        'minLength': 4,
        'maxLength': 4000,
        'pattern': PRINTABLE,
        'title': 'Password or access token',
        'description': 'For https, without line breaks.',
        'x-secret': true,
        'writeOnly': true,
      },
      sshKey: {
        'type': 'string',
        'minLength': 40,
        'maxLength': 20_000,
        'title': 'Private key',
        'description': 'For ssh, without a passphrase.',
        'x-secret': true,
        'writeOnly': true,
      },
    },
  },
  connectionSchema: {
    type: 'object',
    required: ['baseUrl'],
    properties: {
      baseUrl: {
        'type': 'string',
        'minLength': 1,
        'maxLength': 1000,
        'pattern': BASE_URL,
        'title': 'Location of the repositories',
        'description':
          'Such as ssh://git@host/path or https://host/path; also a folder such as /srv/git, if the operator of the service lets pages name it.',
        // Other organizations may have their repositories on the same machine.
        'x-operator': '^/',
      },
      probeRepo: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        title: 'Repository to test with',
        description: 'One below it, with which the credentials are tried.',
      },
      hostKeyChecking: {
        type: 'string',
        enum: ['strict', 'accept-new'],
        title: 'Unknown host keys',
        description: 'What is done with a host whose key is not known; strict where it is not set.',
      },
      hostKeys: {
        type: 'string',
        maxLength: 20_000,
        title: 'Known hosts',
        description: 'As in the file known_hosts.',
      },
      caFile: {
        'type': 'string',
        'maxLength': 1000,
        'pattern': '^/[^\\u0000-\\u001f\\u007f]+$',
        'title': 'Certificates',
        'description':
          'Path of a file on the machine with the certificates that https servers are checked against.',
        'x-operator': true,
      },
      trustOwners: {
        'type': 'boolean',
        'title': 'Repositories may belong to another user',
        'x-operator': true,
      },
      committerName: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        pattern: '^[^\\p{C}<>]+$',
        description: 'Of commits that the service makes, without angle brackets.',
      },
      committerEmail: {
        type: 'string',
        minLength: 3,
        maxLength: 200,
        pattern: '^[^\\s\\p{C}<>]+$',
        description: 'Of commits that the service makes, without spaces and angle brackets.',
      },
    },
  },
  rate: { requests: 100, perSeconds: 1, concurrency: 4, scope: 'connection' },
  capabilities: {
    versionControl: {
      type: 'git-vcs',
      features: ['mergeBranch', 'patchIds'],
      dataSchema: {
        type: 'object',
        required: ['repoName'],
        properties: {
          repoName: { type: 'string', minLength: 1, maxLength: 300, pattern: PRINTABLE },
        },
      },
    },
  },
}
