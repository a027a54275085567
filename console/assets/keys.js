document.documentElement.dataset['keys'] = 'on';
