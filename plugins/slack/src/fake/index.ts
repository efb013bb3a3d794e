export { APP, HOSTS, SlackFake, type Press } from './slack_fake.js'
