import { describeTarget } from './describe-target.ts';
import { openSandboxTarget, sandboxLacks } from './targets/sandbox.ts';

describeTarget('the sandbox', sandboxLacks, openSandboxTarget);
