export const command = {summary:'', usage:'bench', run: async () => 1};
